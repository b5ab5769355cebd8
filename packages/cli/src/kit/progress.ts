import type { Progress, Reading } from '../account-files/pass.js'
import {
  durationText,
  numberText,
  printable,
  progressText,
  shareText,
  sizeText,
  type Tally,
} from '@account-import/account-files'
import type { CliIo } from './command.js'

/** The state of a run: the share that is done, from 0 to 1, undefined where all of it is unknown; and texts for people. */
type State = Readonly<{ share: number | undefined; texts: readonly string[] }>

const redrawMilliseconds = 200

const [firstMilliseconds, lineMilliseconds] = [1000, 5000]

const barLength = 20

const barText = (share: number): string => {
  const full = Math.floor(share * barLength)
  return `${'█'.repeat(full)}${'░'.repeat(barLength - full)} ${Math.floor(share * 100)}%`
}

// Each text restores the wrapping of lines itself, so that a killed command leaves no terminal changed.
const [noWrap, wrap, toEnd] = ['\u001b[?7l', '\u001b[?7h', '\u001b[K']

/** One line, which is written over itself and removed at the end. The terminal cuts what does not fit. */
const onTerminal = (terminal: NodeJS.WriteStream, read: () => State): (() => void) => {
  const draw = (): void => {
    const { share, texts } = read()
    const line = [...(share === undefined ? [] : [barText(share)]), ...texts].join(' | ')
    // Messages of a server need escaping.
    terminal.write(`${noWrap}\r${printable(line).replaceAll('\n', ' ')}${toEnd}${wrap}`)
  }
  draw()
  const timer = setInterval(draw, redrawMilliseconds)
  return () => {
    clearInterval(timer)
    terminal.write(`\r${toEnd}`)
  }
}

/** A plain line every five seconds, for logs, once anything happened; the first one after a second. */
const asLines = (io: CliIo, read: () => State, hasBegun: () => boolean): (() => void) => {
  const say = (): void => {
    if (!hasBegun()) return
    const { share, texts } = read()
    io.err(`${[...(share === undefined ? [] : [shareText(share, 1)]), ...texts].join('; ')}\n`)
  }
  const first = setTimeout(say, firstMilliseconds)
  const timer = setInterval(say, lineMilliseconds)
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

/** Returns a function for the rate of accounts, and the time left; the time so far while the share is 0 or unknown. */
const pace = () => {
  const began = performance.now()
  return (accounts: number, share: number | undefined): readonly [rate: string, time: string] => {
    const seconds = Math.max(0.001, (performance.now() - began) / 1000)
    return [
      `${numberText(Math.round(accounts / seconds))} a second`,
      share === undefined || share === 0
        ? durationText(seconds)
        : `${durationText((seconds * (1 - share)) / share)} left`,
    ]
  }
}

const readShare = ({ bytes, size }: Reading): number | undefined => {
  if (size === undefined) return undefined
  return size === 0 ? 1 : Math.min(1, bytes / size)
}

/** The bytes of the input that were read, `2.1 MiB of 6.8 MiB read`. */
const bytesText = ({ bytes, size }: Reading): string =>
  `${sizeText(bytes)}${size === undefined ? '' : ` of ${sizeText(size)}`} read`

/** A line on the terminal with share, accounts, rate and time left; draws nothing without a terminal. */
export const progressBar = (terminal: NodeJS.WriteStream | undefined): Progress => {
  let accounts = 0
  let end = (): void => undefined
  return {
    begin: (reading) => {
      if (terminal === undefined) return
      const paceOf = pace()
      end = onTerminal(terminal, () => {
        const share = readShare(reading)
        return {
          share,
          texts: [`${numberText(accounts)} accounts`, ...paceOf(accounts, share), bytesText(reading)],
        }
      })
    },
    update: (checked) => {
      accounts = checked
    },
    end: () => end(),
  }
}

const errorsText = (tally: Tally): readonly string[] => {
  if (tally.trouble !== undefined) return [`Trying again: ${tally.trouble}`]
  const codes = tally.topCodes(3).map(({ code, accounts }) => `${code} ${numberText(accounts)}`)
  return codes.length === 0 ? [] : [`most frequent errors: ${codes.join(', ')}`]
}

/** The share of an input that is done: the part that was read, and of that the part of the accounts that is done. */
const shareOf = (reading: Reading | undefined, { done, read: accounts }: Tally): number | undefined => {
  // Without an input, all accounts are known from the beginning, or their number is unknown.
  const read = reading === undefined ? (accounts === 0 ? undefined : 1) : readShare(reading)
  return read === undefined ? undefined : read * Math.min(1, done / Math.max(1, accounts))
}

/**
 * The progress of an import. `counts`: the counts so far, for people. `bytesRead`: undefined without an input. `end` may be called
 * more than once.
 */
export type ImportProgress = Progress & Readonly<{ counts(): string; bytesRead(): number | undefined }>

/** Shows the counts of `tally` from now on until `end`, on a terminal or as lines. */
export const liveView = (io: CliIo, tally: Tally): ImportProgress => {
  let reading: Reading | undefined
  const paceOf = pace()
  const bytes = (): readonly string[] => (reading === undefined ? [] : [bytesText(reading)])
  const read = (): State => {
    const share = shareOf(reading, tally)
    const rateAndTime = paceOf(tally.done, share)
    return { share, texts: [progressText(tally), ...rateAndTime, ...bytes(), ...errorsText(tally)] }
  }
  const hasBegun = (): boolean =>
    tally.accounts > 0 ||
    tally.trouble !== undefined ||
    (reading !== undefined && reading.bytes > 0 && (readShare(reading) ?? 0) < 1)
  let end: (() => void) | undefined =
    io.terminal === undefined ? asLines(io, read, hasBegun) : onTerminal(io.terminal, read)
  return {
    begin: (input) => {
      reading = input
    },
    update: () => undefined,
    end: () => {
      end?.()
      end = undefined
    },
    counts: () => [progressText(tally), ...bytes()].join('; '),
    bytesRead: () => reading?.bytes,
  }
}
