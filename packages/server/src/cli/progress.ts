import cliProgress from 'cli-progress'
import type { Progress } from '../account-files/pass.js'
import { durationText, numberText, shareText, sizeText } from '../account-files/report/numbers.js'
import { statesText, type Tally } from '../import/import-job.js'
import { printable } from '../printable.js'
import type { CliIo } from './command.js'

const none: Progress = { begin: () => undefined, update: () => undefined, end: () => undefined }

const formats = {
  known: '{bar} {percentage}% | {accounts} accounts | {rate} a second | {eta_formatted} left',
  unknown: '{size} read | {accounts} accounts | {rate} a second | {duration_formatted}',
}

/** The look of each bar. The caller handles signals and ends the bar. */
const look = {
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  gracefulExit: false,
  clearOnComplete: true,
  fps: 5,
}

/** A line on the terminal with share, rate and remaining time; draws nothing without a terminal. */
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

/** The progress of a run: `done` of `total` in one unit. `total` is undefined for a stream. */
type Position = Readonly<{ done: number; total: number | undefined }>

const [redrawMilliseconds, lineMilliseconds] = [200, 5000]

const errorsText = (tally: Tally): string => {
  if (tally.trouble !== undefined) return `Trying again: ${tally.trouble}`
  const codes = tally.topCodes(3).map(({ code, accounts }) => `${code} ${numberText(accounts)}`)
  return codes.length === 0 ? '' : `most frequent errors: ${codes.join(', ')}`
}

/** Returns a function that reads the present state of the run and formats its parts. */
const reading = (position: () => Position, tally: Tally) => {
  const began = performance.now()
  return () => {
    const { done, total } = position()
    const { accounts, states } = tally
    const seconds = Math.max(0.001, (performance.now() - began) / 1000)
    return {
      done,
      total,
      accounts: `${numberText(accounts)} accounts`,
      rate: `${numberText(Math.round(accounts / seconds))} a second`,
      left:
        total === undefined || done === 0
          ? durationText(seconds)
          : `${durationText((seconds * Math.max(0, total - done)) / done)} left`,
      more: [statesText(states), errorsText(tally)],
    }
  }
}

/** A payload of the bar, which writes to the terminal unescaped: messages of a server need escaping. */
const line = (text: string) => ({ text: printable(text).replaceAll('\n', ' ') })

/** The bar, and a line for each of the counts and errors. */
const onTerminal = (terminal: NodeJS.WriteStream, read: ReturnType<typeof reading>): (() => void) => {
  const view = new cliProgress.MultiBar({ stream: terminal, format: '{text}', ...look })
  const first = read()
  const format = `${first.total === undefined ? '' : '{bar} {percentage}% | '}{accounts} | {rate} | {left}`
  const bar = view.create(first.total ?? 1, 0, first, { format })
  const lines = first.more.map(() => view.create(1, 0, { text: '' }))
  const draw = (): void => {
    const { done, total = 1, more, ...texts } = read()
    bar.setTotal(total)
    bar.update(Math.min(done, total), texts)
    for (const [at, text] of more.entries()) lines[at]?.update(0, line(text))
  }
  const timer = setInterval(draw, redrawMilliseconds)
  return () => {
    clearInterval(timer)
    view.stop()
  }
}

/** A plain line every five seconds, for logs. */
const asLines = (io: CliIo, read: ReturnType<typeof reading>): (() => void) => {
  const timer = setInterval(() => {
    const { done, total, accounts, rate, left, more } = read()
    const share = total === undefined ? [] : [shareText(Math.min(done, total), total)]
    const parts = [[accounts, ...share, rate, left].join(', '), ...more.filter((text) => text !== '')]
    io.err(`${parts.join('; ')}\n`)
  }, lineMilliseconds)
  return () => clearInterval(timer)
}

/** Shows the progress of a run on a terminal or as lines; reads `tally` each time. */
export const liveView = (io: CliIo, tally: Tally): Progress => {
  let position: Position = { done: 0, total: undefined }
  let end = (): void => undefined
  return {
    begin: (total) => {
      position = { done: 0, total }
      const read = reading(() => position, tally)
      end = io.terminal === undefined ? asLines(io, read) : onTerminal(io.terminal, read)
    },
    update: (done) => {
      position = { ...position, done }
    },
    end: () => end(),
  }
}
