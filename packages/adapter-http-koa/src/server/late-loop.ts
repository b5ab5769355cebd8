import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Interval and resolution of the measurement, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/**
 * Whether the event loop is overloaded: whether its mean delay was above a limit in two intervals in a row. A single long piece of
 * work is no overload.
 */
export class LateLoop {
  private readonly delay = monitorEventLoopDelay({ resolution: sampling.resolution })
  private readonly most: number
  private sampler: NodeJS.Timeout | undefined
  private intervals = 0

  constructor(milliseconds = 1000) {
    this.most = milliseconds
  }

  get isLate(): boolean {
    return this.intervals > 1
  }

  watch(): void {
    this.delay.enable()
    this.sampler ??= setInterval(() => this.sample(), sampling.every).unref()
  }

  end(): void {
    clearInterval(this.sampler)
    this.sampler = undefined
    this.delay.disable()
  }

  private sample(): void {
    const { mean } = this.delay
    this.delay.reset()
    // Without a sample, `mean` is not a number. A sample is the time between two measurements, so it contains the resolution.
    this.intervals = mean / 1e6 - sampling.resolution > this.most ? this.intervals + 1 : 0
  }
}
