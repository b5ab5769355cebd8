import cliProgress from 'cli-progress'
import type { Progress } from '../../account-files/pass.js'
import { numberText, sizeText } from '../../account-files/report/numbers.js'
import { withoutReturns } from '../../printable.js'
import type { CliIo } from '../cli-io.js'

/** Prints to the standard output, as fast as it is read. */
export const printer =
  ({ out, drained }: Pick<CliIo, 'out' | 'drained'>) =>
  async (text: string): Promise<void> => {
    out(withoutReturns(text))
    await drained?.()
  }

const none: Progress = { begin: () => undefined, update: () => undefined, end: () => undefined }

const formats = {
  known: '{bar} {percentage}% | {accounts} accounts | {rate} a second | {eta_formatted} left',
  unknown: '{size} read | {accounts} accounts | {rate} a second | {duration_formatted}',
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
        barCompleteChar: '█',
        barIncompleteChar: '░',
        hideCursor: true,
        // The caller handles signals and ends the bar.
        gracefulExit: false,
        clearOnComplete: true,
        fps: 5,
        etaBuffer: 50,
      })
      bar.start(totalBytes ?? 0, 0, payload(0, 0))
    },
    update: (bytes, accounts) => bar?.update(bytes, payload(bytes, accounts)),
    end: () => bar?.stop(),
  }
}
