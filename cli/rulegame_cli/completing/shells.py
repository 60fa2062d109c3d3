"""The scripts by which bash, zsh and fish ask for completion, how their questions are answered, and
where the scripts are installed.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rulegame.files.atomic import write_whole
from rulegame.playing.saving import games_folder
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.completing.candidates import Candidate
from rulegame_cli.printing.terminal import one_line, visible

BREAKS: Final = ("=", ":")
JOINED: Final = ("=", "/")  # after these no space is typed
MARK: Final = "# completion of rulegame"

BASH: Final = """\
_rulegame_completion() {
    local reply
    COMPREPLY=()
    while IFS= read -r reply; do
        COMPREPLY+=("$reply")
        if [[ $reply == *[=/] ]]; then
            compopt -o nospace 2>/dev/null
        fi
    done < <(_RULEGAME_COMPLETE=bash "${COMP_WORDS[0]:-rulegame}" "${COMP_WORDS[@]:1:COMP_CWORD}" \\
        </dev/null 2>/dev/null)
}
complete -F _rulegame_completion rulegame
"""
ZSH: Final = """\
#compdef rulegame
_rulegame() {
    local line
    local -a spaced joined
    for line in "${(@f)$(_RULEGAME_COMPLETE=zsh ${words[1]} "${(@Q)words[2,CURRENT]}" \\
        </dev/null 2>/dev/null)}"; do
        case $line in
            +*) joined+=("${line#?}") ;;
            -*) spaced+=("${line#?}") ;;
        esac
    done
    (( $#spaced )) && _describe -t values value spaced
    (( $#joined )) && _describe -t values value joined -S ''
    return 0
}
if [[ ${funcstack[1]} == _rulegame ]]; then
    _rulegame "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _rulegame rulegame
fi
"""
FISH: Final = """\
function __rulegame_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    env _RULEGAME_COMPLETE=fish $words[1] $words[2..-1] "$word" </dev/null 2>/dev/null
end
complete -c rulegame -f -a '(__rulegame_complete)'
"""
SCRIPTS: Final = {"bash": BASH, "zsh": ZSH, "fish": FISH}


# ---- what the scripts ask


def answer(shell: str, words: Sequence[str], find: Callable[[list[str]], list[Candidate]]) -> str:
    """The lines that a shell's script reads, for the words up to the cursor."""
    if shell == "bash":
        return _for_bash(words, find)
    found = [(text, one_line(about)) for text, about in find(list(words) or [""])]
    if shell == "fish":
        return "".join(f"{visible(text)}\t{about}\n" for text, about in found)
    return "".join(
        f"{'+' if text.endswith(JOINED) else '-'}{_zsh_value(text)}{f':{about}' if about else ''}\n"
        for text, about in found
    )


def _zsh_value(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace(":", "\\:")


def _for_bash(words: Sequence[str], find: Callable[[list[str]], list[Candidate]]) -> str:
    """bash takes `=` and `:` for words of their own, and replaces only what follows them."""
    typed: list[str] = []
    for before, word in zip(("", *words), words, strict=False):
        joins = word in BREAKS or (before in BREAKS and not word.startswith("--"))
        if joins and typed:
            typed[-1] += word
        else:
            typed.append(word)
    quote = typed[-1][:1] if typed and typed[-1][:1] in ("'", '"') else ""
    own = words[-1] if words and words[-1] not in BREAKS else ""
    whole = _unquoted(typed[-1]) if typed else ""
    kept = len(whole) - len(_unquoted(own))
    found = [text[kept:] for text, _ in find([*map(_unquoted, typed[:-1]), whole])]
    return "".join(f"{visible(text) if quote else _escaped(text)}\n" for text in found)


def _unquoted(word: str) -> str:
    """A word as the shell will read it, though its last quote may be missing yet."""
    for closing in ("", '"', "'"):
        try:
            return "".join(shlex.split(word + closing))
        except ValueError:
            continue
    return word


def _escaped(text: str) -> str:
    special = set(" \t\"'\\$&;|<>()*?[]{}!#`")
    return "".join(f"\\{c}" if c in special else c for c in visible(text))


# ---- installing


def read_shell(option: str, text: str) -> str:
    """One of the shells; WrongCall if there is no script for it."""
    shell = Path(text).name.lower().removesuffix(".exe")
    if shell not in SCRIPTS:
        what = f"not '{text}'" if text else "because SHELL is not set"
        raise WrongCall(f"{option}: expected bash, zsh or fish, {what}")
    return shell


def install(shell: str, environment: Mapping[str, str]) -> str:
    """Writes the script, and a line that reads it into the file with which the shell begins; what
    was done, in words.
    """
    try:
        home = Path.home()
        if shell == "fish":
            folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
            script = folder / "fish" / "completions" / "rulegame.fish"
            _write(script, FISH)
            return f"Wrote {visible(str(script))}.\nCompletion works in every new terminal.\n"
        script = games_folder().parent / f"completion.{shell}"
        _write(script, SCRIPTS[shell])
        start = Path(environment.get("ZDOTDIR") or home) if shell == "zsh" else home
        rc = start / f".{shell}rc"
        quoted = shlex.quote(str(script.absolute()))
        added = _add_line(rc, f"if [ -f {quoted} ]; then . {quoted}; fi  {MARK}")
    except (OSError, RuntimeError) as error:  # RuntimeError: nobody knows where the home is
        where = getattr(error, "filename", None) or "a file"
        said = getattr(error, "strerror", None) or error
        raise WrongCall(f"--install-completion: cannot write {where}: {said}") from None
    done = "now loads it" if added else "already loads it"
    return (
        f"Wrote {visible(str(script))}.\n{visible(str(rc))} {done}.\n"
        "Completion works in every new terminal.\n"
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())


def _add_line(rc: Path, line: str) -> bool:
    """Whether a line had to be added; the file is made if need be, and never written anew."""
    before = rc.read_bytes() if rc.exists() else b""
    if line.encode() in before.splitlines():
        return False
    gap = b"" if before.endswith(b"\n") or not before else b"\n"
    with rc.open("ab") as stream:
        stream.write(gap + os.fsencode(line) + b"\n")
    return True
