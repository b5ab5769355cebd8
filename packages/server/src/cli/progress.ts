import cliProgress from 'cli-progress'
import type { Progress } from '../account-files/pass.js'
import { numberText, shareText, sizeText } from '../account-files/report/numbers.js'
import { statesText, type Tally } from '../import/tally.js'
import { printable } from '../printable.js'
import type { CliIo } from './command.js'

const none: Progress = { begin: () => undefined, update: () => undefined, end: () => undefined }

const formats = {
  known: '{bar} {percentage}% | {accounts} accounts | {rate} a second | {eta_formatted} left',
  unknown: '{size} read | {accounts} accounts | {rate} a second | {duration_formatted}',
}

/** How each bar is drawn; the caller handles signals and ends it. */
const look = {
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  gracefulExit: false,
  clearOnComplete: true,
  fps: 5,
}

/** A line on the terminal with share, rate and time left; without a terminal nothing at all. */
export const progressBar = (terminal: NodeJS.WriteStream | undefined): Progress => {
  if (terminal === undefined) return none
  const began = performance.now()
  let bar: cliProgress.SingleBar | undefined
  const payload = (bytes: number, accounts: number) => ({
    size: sizeText(bytes),
    accounts: numberText(accounts),
    rate: numberText(Math.round(accounts / Math.max(0.001, (performance.now() - began) / 1000))),
  })
  return {
    begin: (totalBytes) => {
      bar = new cliProgress.SingleBar({
        stream: terminal,
        format: totalBytes === undefined ? formats.unknown : formats.known,
        ...look,
        etaBuffer: 50,
      })
      bar.start(totalBytes ?? 0, 0, payload(0, 0))
    },
    update: (bytes, accounts) => bar?.update(bytes, payload(bytes, accounts)),
    end: () => bar?.stop(),
  }
}

/** How far a run is; `total` in the unit of `done`, where it is known. */
type Position = Readonly<{ done: number; total: number | undefined }>

const [redrawMilliseconds, lineMilliseconds] = [200, 5000]

const codesText = (tally: Tally): string =>
  tally
    .topCodes(3)
    .map(({ code, accounts }) => `${code} ${numberText(accounts)}`)
    .join(', ')

const durationText = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** The parts of what is shown, made anew each time. */
class Reading {
  private readonly began = performance.now()
  private readonly tally: Tally

  constructor(tally: Tally) {
    this.tally = tally
  }

  get seconds(): number {
    return Math.max(0.001, (performance.now() - this.began) / 1000)
  }

  rate(): string {
    return `${numberText(Math.round(this.tally.accounts / this.seconds))} a second`
  }

  left({ done, total }: Position): string {
    if (total === undefined || done === 0) return durationText(this.seconds)
    return `${durationText((this.seconds * Math.max(0, total - done)) / done)} left`
  }

  states(): string {
    return statesText(this.tally.states)
  }

  errors(): string {
    const { trouble } = this.tally
    if (trouble !== undefined) return `Trying again: ${trouble}`
    const codes = codesText(this.tally)
    return codes === '' ? '' : `most frequent errors: ${codes}`
  }
}

/** The bar writes to the terminal itself, and trouble is told in the words of whoever answered. */
const line = (text: string) => ({ text: printable(text).replaceAll('\n', ' ') })

/** Bar, counts and errors, a line each. */
const onTerminal = (terminal: NodeJS.WriteStream, tally: Tally, position: () => Position): (() => void) => {
  const reading = new Reading(tally)
  const view = new cliProgress.MultiBar({
    stream: terminal,
    format: '{text}',
    ...look,
  })
  const known = position().total !== undefined
  const format = `${known ? '{bar} {percentage}% | ' : ''}{accounts} accounts | {rate} | {left}`
  const payload = () => ({
    accounts: numberText(tally.accounts),
    rate: reading.rate(),
    left: reading.left(position()),
  })
  const bar = view.create(position().total ?? 1, 0, payload(), { format })
  const states = view.create(1, 0, { text: '' })
  const errors = view.create(1, 0, { text: '' })
  const draw = (): void => {
    const { done, total = 1 } = position()
    bar.setTotal(total)
    bar.update(Math.min(done, total), payload())
    states.update(0, line(reading.states()))
    errors.update(0, line(reading.errors()))
  }
  const timer = setInterval(draw, redrawMilliseconds)
  return () => {
    clearInterval(timer)
    view.stop()
  }
}

/** A plain line now and then, for logs. */
const asLines = (io: CliIo, tally: Tally, position: () => Position): (() => void) => {
  const reading = new Reading(tally)
  const print = (): void => {
    const { done, total } = position()
    const share = total === undefined ? [] : [shareText(Math.min(done, total), total)]
    const parts = [
      `${numberText(tally.accounts)} accounts`,
      ...share,
      reading.rate(),
      reading.left(position()),
    ]
    const more = [reading.states(), reading.errors()].filter((text) => text !== '')
    io.err(`${[parts.join(', '), ...more].join('; ')}\n`)
  }
  const timer = setInterval(print, lineMilliseconds)
  return () => clearInterval(timer)
}

/** Shows how far a run is, on a terminal or by lines; `tally` is looked at each time. */
export const liveView = (io: CliIo, tally: Tally): Progress => {
  let position: Position = { done: 0, total: undefined }
  let end = (): void => undefined
  return {
    begin: (total) => {
      position = { done: 0, total }
      const now = (): Position => position
      end = io.terminal === undefined ? asLines(io, tally, now) : onTerminal(io.terminal, tally, now)
    },
    update: (done) => {
      position = { ...position, done }
    },
    end: () => end(),
  }
}
