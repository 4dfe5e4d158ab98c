// Time that passes when a test says so, for timers and the page's clocks.

/** Lets all that waits for promises go on. */
export async function settle() {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}

export class Clock {
  constructor() {
    this.now = 0;
    /** When the page was opened: `performance` counts from then. */
    this.opened = 0;
    this.timers = new Map();
    this.last = 0;
    globalThis.setTimeout = (call, milliseconds = 0) => {
      this.last += 1;
      this.timers.set(this.last, { call, at: this.now + milliseconds });
      return this.last;
    };
    globalThis.clearTimeout = (id) => this.timers.delete(id);
    Date.now = () => 1_800_000_000_000 + this.now;
    Object.defineProperty(performance, "now", {
      value: () => this.now - this.opened, configurable: true,
    });
  }

  /** Passes milliseconds; what is due in them happens in its order. */
  async pass(milliseconds) {
    const until = this.now + milliseconds;
    await settle();
    for (let due = this.due(until); due; due = this.due(until)) {
      const [id, { call, at }] = due;
      this.timers.delete(id);
      this.now = Math.max(this.now, at);
      call();
      await settle();
    }
    this.now = until;
  }

  due(until) {
    const waiting = [...this.timers].filter(([, { at }]) => at <= until);
    return waiting.sort(([, one], [, other]) => one.at - other.at)[0];
  }
}
