// Soft tones, one for each new touch. Off unless an adult turned sound on (CL-003): nothing is made
// before the first touch, and nothing sounds without one.

/** Each scene's lowest tone in hertz, steps in semitones, and seconds until a tone is gone. */
const voices = {
  snow: [330, [0, 2, 7, 9, 14], 2.6], ripples: [196, [0, 5, 7, 12, 14], 3.4],
  colors: [147, [0, 4, 7, 11, 14], 4], bubbles: [294, [0, 3, 7, 10, 15], 1.6],
  dust: [220, [0, 2, 4, 7, 9], 3], aurora: [165, [0, 7, 9, 14, 16], 4.5],
  still: [131, [0, 7, 12], 5], bloom: [262, [0, 2, 4, 7, 9], 2.4],
};
const mostTones = 6;

/** Makes the sound of a scene; call it from a touch, or browsers keep it silent. */
export function makeSound(scene) {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Context) return null;
  const context = new Context();
  const [lowest, steps, seconds] = voices[scene];
  const soft = new BiquadFilterNode(context, { type: "lowpass", frequency: 1400 });
  // A faint echo gives the tones room.
  const echo = new DelayNode(context, { delayTime: 0.37 });
  const again = new GainNode(context, { gain: 0.34 });
  soft.connect(context.destination);
  soft.connect(echo);
  echo.connect(again);
  again.connect(echo);
  again.connect(context.destination);
  let tones = 0;
  return {
    /** A tone for a touch at a height: `level` is 0 at the bottom and 1 at the top. */
    play(level) {
      if (tones >= mostTones || context.state === "suspended") return;
      const step = steps[Math.min(steps.length - 1, Math.floor(level * steps.length))];
      const now = context.currentTime;
      const gain = new GainNode(context, { gain: 0 });
      gain.gain.setValueAtTime(0, now);
      gain.gain.linearRampToValueAtTime(0.07, now + 0.12);
      gain.gain.exponentialRampToValueAtTime(0.0004, now + seconds);
      const tone = new OscillatorNode(context, { frequency: lowest * 2 ** (step / 12) });
      tone.connect(gain).connect(soft);
      tones += 1;
      tone.onended = () => {
        tones -= 1;
        gain.disconnect();
      };
      tone.start(now);
      tone.stop(now + seconds);
    },
    pause: () => context.suspend(),
    resume: () => context.resume(),
  };
}
