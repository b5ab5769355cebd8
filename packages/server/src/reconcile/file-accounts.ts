import type { Readable } from 'node:stream'
import { type AccountDetails, builtInSettings, instantOf, systemClock } from '@account-import/core'
import {
  accountFromPayload,
  checkAccountPayload,
  type CheckContext,
  E,
  today,
} from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import { piecesOf } from '../account-files/input/pieces.js'
import { isBlank, linesOf } from '../account-files/input/lines-of.js'
import { openSource } from '../account-files/input/source.js'

/** An account of a file as it would be created; the time of creation, which it does not have, is that of `fileTime`. */
export type FileAccount = Readonly<{ supplier: string; number: string; details: AccountDetails }>

/** A file that was read to its end. */
export type ReadFile = Readonly<{
  name: string
  bytes: number
  sha256: string
  accounts: number
  invalid: number
}>

/** Stands for the time of creation: notes without a time of their own are compared without it. */
export const fileTime = instantOf(0)

/** Few accounts, so that answers of the service are taken between two pieces. */
const pieceBytes = 64 * 1024

/** No setting of a supplier accepts more than these: rules of markets are left out, and closed lists are empty. */
export const readingContext = (timeZone: string, defaultCountry: string): CheckContext => ({
  settings: { ...builtInSettings, markets: [] },
  defaultCountry,
  today: today(systemClock.now(), timeZone),
})

const accountOf = (line: Uint8Array, context: CheckContext): FileAccount | undefined => {
  if (line.length > bodyLimitBytes) return undefined
  const json = jsonOf(line)
  if (E.isLeft(json)) return undefined
  const checked = checkAccountPayload(json.right.payload, context)
  if (E.isLeft(checked)) return undefined
  const { import_supplier: supplier, external_account_number: number } = checked.right.value
  return { supplier, number, details: accountFromPayload(checked.right.value, fileTime) }
}

/**
 * Visits every account of a file in turn; a line that no supplier's settings would accept counts as invalid. Memory does not depend on
 * the size of the file. Rejects with a `FileFailure`, and when `stop` is aborted.
 */
export const readAccounts = async (
  path: string,
  context: CheckContext,
  visit: (account: FileAccount) => void,
  { input, stop }: Readonly<{ input: Readable; stop: AbortSignal }>,
): Promise<ReadFile> => {
  const source = await openSource(path, input)
  let [accounts, invalid] = [0, 0]
  for await (const piece of piecesOf(source, pieceBytes)) {
    stop.throwIfAborted()
    if (piece.kind === 'long line') {
      invalid += piece.ends ? 1 : 0
      continue
    }
    for (const { start, end } of linesOf(piece.bytes)) {
      const line = piece.bytes.subarray(start, end)
      if (isBlank(line)) continue
      const account = accountOf(line, context)
      if (account === undefined) invalid += 1
      else {
        accounts += 1
        visit(account)
      }
    }
  }
  return { name: path, bytes: source.bytes, sha256: source.sha256(), accounts, invalid }
}
