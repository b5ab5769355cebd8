import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type AccountDetails, type AccountFigures, instantOf } from '@account-import/core'
import {
  accountFromPayload,
  checkAccountPayload,
  type CheckContext,
  comparedText,
  E,
  fieldText,
  figuresOf,
  figureSums,
  valuesByPath,
} from '@account-import/core/adapter-kit'
import { type AnswerOf, bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import { isBlank, linesOf } from '../account-files/input/lines-of.js'
import { piecesOf } from '../account-files/input/pieces.js'
import { openSource } from '../account-files/input/source.js'

/** An account of a file in the form of a created one, with `fileTime` as its time of creation. */
export type FileAccount = Readonly<{ supplier: string; number: string; details: AccountDetails }>

/** The facts of a completely read file. */
export type ReadFile = Readonly<{
  name: string
  bytes: number
  sha256: string
  accounts: number
  invalid: number
}>

/** A placeholder for the time of creation: notes without a time of their own are compared without it. */
const fileTime = instantOf(0)

/** Small, so that responses of the service are processed between two pieces. */
const pieceBytes = 64 * 1024

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
 * Calls `visit` for every account of a file in order; a line that no settings of a supplier accept counts as invalid. Memory does
 * not depend on the size of the file. Rejects with a `FileFailure`, and when `stop` is aborted.
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

const digestBytes = 16

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, digestBytes)

/** Bits of a mark. */
const inFile = 1
const isRepeated = 2
const isStaged = 4
const isCreated = 8
const hasAdditions = 16

/** A count of account numbers, and a list of the first ones. */
export class Numbers {
  count = 0
  readonly named: string[] = []
  static readonly most = 1000

  add(number: string): void {
    this.count += 1
    if (this.named.length < Numbers.most) this.named.push(number)
  }
}

/** The accounts by the result of the comparison. `differing` includes accounts that differ by additions alone. */
export type Compared = Readonly<
  Record<'repeated' | 'missing' | 'stagedOnly' | 'extra' | 'differing', Numbers> & {
    inFiles: number
    created: number
    equal: number
    withAdditions: number
    /** The differing accounts with additions. */
    grown: ReadonlySet<string>
  }
>

/**
 * Compares the accounts of one supplier in files with those of the service, added in any order. Stores the number, two digests
 * and a mark of each account: about 120 bytes.
 */
export class Comparison {
  readonly #supplier: string
  readonly #places = new Map<string, number>()
  /** For each place two digests: that of the file, then that of the service. */
  #digests = Buffer.alloc(2 * digestBytes * 1024)
  #marks = Buffer.alloc(1024)
  readonly #sums = { file: figureSums(), staged: figureSums(), created: figureSums() }
  otherSuppliers = 0

  constructor(supplier: string) {
    this.#supplier = supplier
  }

  addFromFile({ supplier, number, details }: FileAccount): void {
    if (supplier !== this.#supplier) {
      this.otherSuppliers += 1
      return
    }
    this.#sums.file.add(figuresOf(details))
    const place = this.#placeOf(number)
    this.#mark(place, this.#has(place, inFile) ? isRepeated : inFile)
    digestOf(comparedText({ details, createdAt: fileTime })).copy(this.#digests, 2 * place * digestBytes)
  }

  addFromService(found: AnswerOf<'accountDigests'>[number]): void {
    const { external_account_number: number, state, digest, additions } = found
    const { supply_points: supplyPoints, balances, transactions, statements, notes } = found
    this.#sums[state].add({
      balances: Object.fromEntries(balances.map(({ ledger_code: name, ...summed }) => [name, summed])),
      transactions: Object.fromEntries(transactions.map(({ type, ...summed }) => [type, summed])),
      statements,
      notes,
      supplyPoints,
    })
    const place = this.#placeOf(number)
    this.#mark(place, state === 'created' ? isCreated : isStaged)
    if (additions > 0) this.#mark(place, hasAdditions)
    this.#digests.write(digest, (2 * place + 1) * digestBytes, digestBytes, 'hex')
  }

  /** The result, after all accounts of the files and of the service were added. */
  compared(): Compared {
    const [repeated, missing, stagedOnly] = [new Numbers(), new Numbers(), new Numbers()]
    const [extra, differing] = [new Numbers(), new Numbers()]
    const counts = { inFiles: 0, created: 0, equal: 0, withAdditions: 0 }
    const grown = new Set<string>()
    // Sorted, so that the lists do not depend on the order of arrival.
    for (const number of [...this.#places.keys()].sort()) {
      const place = this.#placeOf(number)
      const [created, added] = [this.#has(place, isCreated), this.#has(place, hasAdditions)]
      if (created) counts.created += 1
      if (added) counts.withAdditions += 1
      if (!this.#has(place, inFile)) {
        extra.add(number)
        continue
      }
      counts.inFiles += 1
      if (this.#has(place, isRepeated)) repeated.add(number)
      if (created && this.#isEqual(place)) counts.equal += 1
      else if (created) {
        differing.add(number)
        if (added) grown.add(number)
      } else if (this.#has(place, isStaged)) stagedOnly.add(number)
      else missing.add(number)
    }
    return { ...counts, repeated, missing, stagedOnly, extra, differing, grown }
  }

  figures(): Readonly<Record<'file' | 'staged' | 'created', AccountFigures>> {
    const { file, staged, created } = this.#sums
    return { file: file.total(), staged: staged.total(), created: created.total() }
  }

  #has(place: number, bit: number): boolean {
    return ((this.#marks[place] ?? 0) & bit) !== 0
  }

  #mark(place: number, bit: number): void {
    this.#marks[place] = (this.#marks[place] ?? 0) | bit
  }

  #isEqual(place: number): boolean {
    const [start, middle, end] = [2 * place, 2 * place + 1, 2 * place + 2].map((each) => each * digestBytes)
    return this.#digests.subarray(start, middle).equals(this.#digests.subarray(middle, end))
  }

  #placeOf(number: string): number {
    const existing = this.#places.get(number)
    if (existing !== undefined) return existing
    const place = this.#places.size
    this.#places.set(number, place)
    if (place >= this.#marks.length) {
      this.#marks = Buffer.concat([this.#marks, Buffer.alloc(this.#marks.length)])
      this.#digests = Buffer.concat([this.#digests, Buffer.alloc(this.#digests.length)])
    }
    return place
  }
}

/** Paths of lists to which requests can add after the creation of an account. */
const mayGrow = /(?:^|\.)(?:notes|statements|payment_instructions|\w*transactions\w*)(?:$|\.)/

/** The paths at which an account of a file differs from that of the service, by digests of the values. */
export const differingPaths = (
  { number, details }: FileAccount,
  { fields }: AnswerOf<'fieldDigests'>,
  additions: boolean,
): readonly string[] => {
  const own = new Map(
    [...valuesByPath({ details, createdAt: fileTime })].map(([path, value]) => [
      path,
      digestOf(fieldText(number, path, value)).toString('hex'),
    ]),
  )
  const found = new Map(fields.map(({ path, digest }) => [path, digest]))
  const paths = [...new Set([...own.keys(), ...found.keys()])]
  return paths.filter((path) => {
    const [mine, theirs] = [own.get(path), found.get(path)]
    if (mine === theirs) return false
    const wasEmpty = mine === digestOf(fieldText(number, path, '[]')).toString('hex')
    return !(additions && mayGrow.test(path) && (mine === undefined || (wasEmpty && theirs === undefined)))
  })
}
