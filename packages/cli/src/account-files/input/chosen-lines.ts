import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  blanked,
  FileFailure,
  interrupted,
  isBlank,
  type LineRange,
  linesOf,
  type Piece,
  piecesOf,
} from '@account-import/account-files'
import { conversion } from '../../program-name.js'
import { openSource } from './source.js'

/** The selected accounts of an input: the first `limit`, or a sample of these. Default: all. */
export type Selection = Readonly<{
  limit?: number
  /** `accounts` random ones of `of`. The same seed chooses the same accounts again. */
  sample?: Readonly<{ accounts: number; seed: number; of: number }>
}>

const pieceBytes = 1024 * 1024

const accountsIn = (piece: Piece): number => {
  if (piece.kind === 'long line') return piece.ends ? 1 : 0
  let count = 0
  for (const { start, end } of linesOf(piece.bytes))
    if (!isBlank(piece.bytes.subarray(start, end))) count += 1
  return count
}

/**
 * The number of accounts of a file, at most `limit`. Memory does not depend on its size. Rejects with a `FileFailure`:
 * `input_read_once` for an input that cannot be read twice.
 */
export const countAccounts = async (
  path: string,
  limit: number,
  { input, stop }: Readonly<{ input: Readable; stop: AbortSignal }>,
): Promise<number> => {
  const source = await openSource(path, input)
  if (source.size === undefined)
    throw new FileFailure(
      'input_read_once',
      'A sample is chosen by reading the accounts twice, which only a file allows. Write them to a file first.',
    )
  let count = 0
  for await (const piece of piecesOf(source.content(), pieceBytes, conversion())) {
    if (stop.aborted) throw interrupted()
    count += accountsIn(piece)
    if (count >= limit) return limit
  }
  return count
}

/** A pseudo-random number from 0 to less than 1 for each account. */
const chanceOf = (seed: number, index: number): number =>
  createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE() / 2 ** 32

/** Returns for each account in turn whether it is chosen. A sample has exactly its size (selection sampling). */
const choice = ({ limit = Infinity, sample }: Selection): (() => boolean) => {
  let [index, taken] = [0, 0]
  return () => {
    const at = index++
    if (at >= limit) return false
    if (sample === undefined) return true
    const [missing, left] = [sample.accounts - taken, sample.of - at]
    const isChosen = chanceOf(sample.seed, at) * left < missing
    if (isChosen) taken += 1
    return isChosen
  }
}

/** Blanks the lines of accounts that are not chosen, so that lines keep their numbers. Requires pieces in order. */
export const choosing = (selection: Selection): ((piece: Piece) => Piece | undefined) => {
  const isNextChosen = choice(selection)
  let isLongChosen: boolean | undefined
  return (piece) => {
    if (piece.kind === 'lines') {
      const { bytes } = piece
      const isKept = ({ start, end }: LineRange): boolean =>
        !isBlank(bytes.subarray(start, end)) && isNextChosen()
      return { kind: 'lines', bytes: blanked(bytes, isKept) }
    }
    isLongChosen ??= isNextChosen()
    const isChosen = isLongChosen
    if (piece.ends) isLongChosen = undefined
    if (isChosen) return piece
    return piece.ends ? { kind: 'lines', bytes: Uint8Array.of(0x0a) } : undefined
  }
}
