/* Random games as one writes them by hand: plain arrays, no bitboards, and the chance of
   rulegame/simulation/rng.py, so that every game is the one that `rulegame simulate` plays.

   Each function plays the games numbered from `begin` to `end` - 1. It counts in `ends` how they
   ended (see ENDS in plain_c.py) and in `lengths` how many moves they had. */

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum { FIRST, SECOND, OTHERWISE_FIRST, OTHERWISE_SECOND };

/* ---- chance */

#define GOLDEN 0x9E3779B97F4A7C15u

typedef struct {
    uint64_t counter, stride, word;
    unsigned step;
} Draws;

static inline uint64_t mixed(uint64_t word)
{
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

static inline Draws draws_of(uint64_t start, uint64_t stride, uint64_t game)
{
    uint64_t along = game * GOLDEN;
    return (Draws){mixed(start + along), mixed(stride + along) | 1, 0, 0};
}

static uint32_t drawn_again(const Draws *draws, uint32_t limit, uint64_t product)
{
    uint32_t rejected = (uint32_t)-limit % limit;
    for (uint64_t attempt = 1; (uint32_t)product < rejected; attempt++) {
        uint64_t spare = mixed(draws->stride + (draws->step + 1) * GOLDEN);
        product = (mixed(spare + attempt * GOLDEN) >> 32) * limit;
    }
    return (uint32_t)(product >> 32);
}

/* One of the numbers 0 to limit - 1, for this step; two steps share a word. */
static inline uint32_t below(Draws *draws, uint32_t limit)
{
    uint64_t half;
    if (draws->step & 1) {
        half = (uint32_t)draws->word;
    } else {
        draws->counter += draws->stride;
        draws->word = mixed(draws->counter);
        half = draws->word >> 32;
    }
    uint64_t product = half * limit;
    uint32_t result = (uint32_t)(product >> 32);
    if ((uint32_t)product < limit)
        result = drawn_again(draws, limit, product);
    draws->step++;
    return result;
}

/* ---- Zero Sum Duel */

static int zero_sum_duel(Draws *draws)
{
    int score[2] = {20, 20}, last = 0, player = 0;
    for (;;) {
        int moves[5], count = 0;
        for (int n = 1; n <= 5; n++)
            if (n != last && n <= score[player])
                moves[count++] = n;
        if (!count)
            return player ? OTHERWISE_FIRST : OTHERWISE_SECOND;
        last = moves[below(draws, count)];
        score[player] -= last;
        if (!score[player])
            return player;
        player = 1 - player;
    }
}

/* ---- Tic-tac-toe */

static int tic_tac_toe_line(const signed char board[3][3], int row, int column, int me)
{
    return (board[row][0] == me && board[row][1] == me && board[row][2] == me)
        || (board[0][column] == me && board[1][column] == me && board[2][column] == me)
        || (board[0][0] == me && board[1][1] == me && board[2][2] == me)
        || (board[0][2] == me && board[1][1] == me && board[2][0] == me);
}

static int tic_tac_toe(Draws *draws)
{
    signed char board[3][3] = {{0}};
    for (int move = 0; move < 9; move++) {
        int cells[9], count = 0, player = move % 2;
        for (int cell = 0; cell < 9; cell++)
            if (!board[cell / 3][cell % 3])
                cells[count++] = cell;
        int cell = cells[below(draws, count)];
        board[cell / 3][cell % 3] = (signed char)(player + 1);
        if (tic_tac_toe_line(board, cell / 3, cell % 3, player + 1))
            return player;
    }
    return OTHERWISE_FIRST;
}

/* ---- Connect Four */

enum { ROWS = 6, COLUMNS = 7, LINE = 4 };

/* How many discs of a colour follow one another from a cell on, that cell not counted. */
static int run(const signed char board[ROWS][COLUMNS], int row, int column, int down, int right)
{
    int me = board[row][column], count = 0;
    for (;;) {
        row += down;
        column += right;
        if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS || board[row][column] != me)
            return count;
        count++;
    }
}

static int connect_four_line(const signed char board[ROWS][COLUMNS], int row, int column)
{
    return run(board, row, column, -1, 0) >= LINE - 1
        || run(board, row, column, 0, 1) + run(board, row, column, 0, -1) >= LINE - 1
        || run(board, row, column, 1, 1) + run(board, row, column, -1, -1) >= LINE - 1
        || run(board, row, column, 1, -1) + run(board, row, column, -1, 1) >= LINE - 1;
}

static int connect_four(Draws *draws)
{
    signed char board[ROWS][COLUMNS] = {{0}};
    int height[COLUMNS] = {0};
    for (int move = 0; move < ROWS * COLUMNS; move++) {
        int columns[COLUMNS], count = 0, player = move % 2;
        for (int column = 0; column < COLUMNS; column++)
            if (height[column] < ROWS)
                columns[count++] = column;
        int column = columns[below(draws, count)], row = height[column]++;
        board[row][column] = (signed char)(player + 1);
        if (connect_four_line(board, row, column))
            return player;
    }
    return OTHERWISE_FIRST;
}

/* ---- many games */

#define GAMES(game)                                                                             \
    EXPORT void play_##game(uint64_t start, uint64_t stride, int64_t begin, int64_t end,        \
                            int64_t *ends, int64_t *lengths)                                    \
    {                                                                                           \
        for (int64_t number = begin; number < end; number++) {                                  \
            Draws draws = draws_of(start, stride, (uint64_t)number);                            \
            ends[game(&draws)]++;                                                               \
            lengths[draws.step]++;                                                              \
        }                                                                                       \
    }

GAMES(zero_sum_duel)
GAMES(tic_tac_toe)
GAMES(connect_four)
