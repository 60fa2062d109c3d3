// A few short sounds, made here: nothing is loaded. They can be switched off, and stay so.

const VOLUME = 0.08;
const NOTES = { // frequency and length, one after the other
  move: [[330, 0.05]],
  reply: [[262, 0.06]],
  roll: [[180, 0.03], [240, 0.03], [200, 0.05]],
  won: [[523, 0.1], [659, 0.1], [784, 0.22]],
  lost: [[330, 0.14], [262, 0.26]],
  over: [[392, 0.12], [392, 0.2]],
};

let context = null;

function stored() {
  try {
    return window.localStorage.getItem("sound") !== "off";
  } catch {
    return true;
  }
}

let on = stored();

export const isOn = () => on;

export function turn() {
  on = !on;
  try {
    window.localStorage.setItem("sound", on ? "on" : "off");
  } catch {
    // a browser that keeps nothing is asked again
  }
  if (on) play("move");
}

/** Play a sound; only after somebody has done something on the page, as browsers demand. */
export function play(name) {
  if (!on || document.hidden || !navigator.userActivation?.hasBeenActive || !window.AudioContext) return;
  context ||= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, length] of NOTES[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    tone.type = "triangle";
    volume.gain.setValueAtTime(VOLUME, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
