import { withoutReturns } from '../../printable.js'
import type { CliIo } from '../cli-io.js'

/** Prints to the standard output, as fast as it is read. */
export const printer =
  ({ out, drained }: Pick<CliIo, 'out' | 'drained'>) =>
  async (text: string): Promise<void> => {
    out(withoutReturns(text))
    await drained?.()
  }
