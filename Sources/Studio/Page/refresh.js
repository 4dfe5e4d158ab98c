// Asks for things anew without asking twice at once: news that come while an answer is under way lead to one more question.

/** Wraps an asynchronous question; calls while it runs become one more run behind it. */
export function whenQuiet(question) {
  let isRunning = false;
  let isWanted = false;
  return async function run() {
    if (isRunning) {
      isWanted = true;
      return;
    }
    isRunning = true;
    try {
      do {
        isWanted = false;
        await question();
      } while (isWanted);
    } catch {
      // Whoever acted was told; a look at what is new may fail quietly.
    } finally {
      isRunning = false;
    }
  };
}
