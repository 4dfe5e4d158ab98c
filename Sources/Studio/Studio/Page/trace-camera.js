// The camera behind a template (TR-022, TR-023): asked for only when somebody pressed for it.

/** Why there is no camera, for people. */
const reasons = {
  NotAllowedError: "The browser does not let this page use the camera.",
  NotFoundError: "There is no camera here.",
  NotReadableError: "Another program uses the camera.",
};

/**
 * Shows the camera's picture in a video; returns what can be done with it.
 * @param {HTMLVideoElement} video
 * @param {object} options
 * @param {() => boolean} options.isWanted Whether the picture is still looked at.
 * @param {() => void} options.onend The camera was taken away.
 * @throws {Error} Its message says why the camera cannot be used.
 */
export async function openCamera(video, { isWanted, onend }) {
  if (!navigator.mediaDevices) {
    throw new Error("Browsers give the camera only to pages of this computer, or over https.");
  }
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: { facingMode: { ideal: "environment" } },
    });
  } catch (error) {
    throw new Error(reasons[error.name] ?? "The camera does not work now.");
  }
  const [track] = stream.getVideoTracks();
  if (isWanted()) {
    track.addEventListener("ended", onend);
    video.muted = true;
    video.srcObject = stream;
    // A page that is being left cannot play any more.
    await video.play().catch(() => {});
  } else {
    track.stop();
  }
  return {
    hasTorch: Boolean(track.getCapabilities?.().torch),
    light: (isOn) => track.applyConstraints({ advanced: [{ torch: isOn }] }),
    close() {
      track.stop();
      if (video.srcObject === stream) video.srcObject = null;
    },
  };
}

/** Keeps the screen on until `signal` aborts; where that is impossible, nothing. */
export function keepAwake(signal) {
  let lock = null;
  const ask = async () => {
    if (signal.aborted || document.visibilityState === "hidden") return;
    try {
      lock = await navigator.wakeLock?.request("screen");
      if (signal.aborted) lock?.release();
    } catch {
      // A low battery or the page's policy: the screen goes dark as usual.
    }
  };
  // The browser releases a hidden page's lock.
  document.addEventListener("visibilitychange", ask, { signal });
  signal.addEventListener("abort", () => lock?.release());
  ask();
}
