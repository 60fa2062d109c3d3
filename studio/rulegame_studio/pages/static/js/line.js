// The line to the table: it comes back by itself when it was lost, or when a phone has slept.

const FIRST_PAUSE = 400; // milliseconds
const LONGEST_PAUSE = 8000;
const SLEPT = 20000; // hidden for so long, a line that seems open may be dead

export class Line {
  constructor(path, { heard, changed }) {
    this.path = path;
    this.heard = heard;
    this.changed = changed;
    this.pause = FIRST_PAUSE;
    this.socket = null;
    this.over = false;
    this.timer = 0;
    this.hiddenAt = 0;
    document.addEventListener("visibilitychange", () => this.woken());
    window.addEventListener("online", () => this.again());
    window.addEventListener("pageshow", (event) => event.persisted && this.again());
    this.open();
  }

  open() {
    window.clearTimeout(this.timer);
    if (this.over) return;
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${window.location.host}${this.path}`);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return;
      }
      this.pause = message.kind === "full" ? LONGEST_PAUSE : FIRST_PAUSE;
      if (message.kind === "gone") this.over = true;
      else if (message.kind !== "full") this.changed("open");
      this.heard(message);
    });
    socket.addEventListener("close", () => {
      if (socket !== this.socket) return;
      this.socket = null;
      if (this.over) {
        this.changed("over");
        return;
      }
      this.changed("lost");
      this.timer = window.setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
    });
  }

  /** Begin anew at once, whatever became of the line before. */
  again() {
    if (this.over) return;
    const old = this.socket;
    this.socket = null;
    if (old) old.close();
    this.pause = FIRST_PAUSE;
    this.changed("lost");
    this.open();
  }

  woken() {
    if (document.visibilityState === "hidden") {
      this.hiddenAt = Date.now();
    } else if (!this.socket || (this.hiddenAt && Date.now() - this.hiddenAt > SLEPT)) {
      this.again();
    }
  }

  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
