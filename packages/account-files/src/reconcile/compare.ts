import { type AccountDetails, type AccountFigures, instantOf } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/adapter-kit'
import { comparedText, fieldText, figuresOf, figureSums, valuesByPath } from '@account-import/core/digests'
import { E } from '@account-import/core/fp'
import {
  checkAccountPayload,
  type CheckContext,
  externalAccountNumber,
  importSupplierCode,
  readField,
} from '@account-import/core/payloads'
import { type AnswerOf, bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import { isBlank, joined, linesOf } from '../lines/lines-of.js'
import type { Piece } from '../lines/pieces.js'

/** An account of a file in the form of a created one, with `fileTime` as its time of creation. */
export type FileAccount = Readonly<{ supplier: string; number: string; details: AccountDetails }>

/** A line that no settings of a supplier accept. Supplier and number are undefined where they could not be read. */
export type InvalidLine = Readonly<{ line: number; supplier: string | undefined; number: string | undefined }>

/** The calls for the lines of a file, in order. */
export type Visitor = Readonly<{
  account(account: FileAccount): void
  invalid(line: InvalidLine): void
}>

/** The accounts and the lines that no settings of a supplier accept, of a completely read file. */
export type ReadLines = Readonly<{ accounts: number; invalid: number }>

/** The facts of a completely read file. */
export type ReadFile = ReadLines & Readonly<{ name: string; bytes: number; sha256: string }>

/** A placeholder for the time of creation: notes without a time of their own are compared without it. */
const fileTime = instantOf(0)

const unreadable = { supplier: undefined, number: undefined }

const numberInText = /"external_account_number"\s*:\s*("(?:[^"\\]|\\.)*")/

/** The number in a line that is no JSON: the first text with its name. */
const numberIn = (line: Uint8Array): string | undefined => {
  const [, text] = numberInText.exec(new TextDecoder().decode(line)) ?? []
  const json = text === undefined ? undefined : jsonOf(new TextEncoder().encode(text))
  return json === undefined || E.isLeft(json)
    ? undefined
    : readField(externalAccountNumber, { number: json.right.payload }, 'number')
}

const namesIn = (payload: unknown) => ({
  supplier: readField(importSupplierCode, payload, 'import_supplier'),
  number: readField(externalAccountNumber, payload, 'external_account_number'),
})

/** The account of a line. Left: the supplier and the number of an invalid one, as far as they can be read. */
const accountOf = (
  line: Uint8Array,
  context: CheckContext,
): E.Either<Omit<InvalidLine, 'line'>, FileAccount> => {
  if (line.length > bodyLimitBytes) return E.left(unreadable)
  const json = jsonOf(line)
  if (E.isLeft(json))
    return E.left('names' in json.left ? namesIn(json.left.names) : { ...unreadable, number: numberIn(line) })
  const { payload } = json.right
  const checked = checkAccountPayload(payload, context)
  if (E.isLeft(checked)) return E.left(namesIn(payload))
  const { import_supplier: supplier, external_account_number: number } = checked.right.value
  return E.right({ supplier, number, details: accountFromPayload(checked.right.value, fileTime) })
}

/**
 * Calls `visit` for every line of a file with an account, or with an invalid one, in order. Memory does not depend on the size of
 * the file. Rejects as `pieces` does, and when `stop` is aborted.
 */
export const readAccounts = async (
  pieces: AsyncIterable<Piece>,
  context: CheckContext,
  visit: Visitor,
  stop: AbortSignal,
): Promise<ReadLines> => {
  let [accounts, invalid, number] = [0, 0, 0]
  const visitLine = (line: Uint8Array): void => {
    const account = accountOf(line, context)
    if (E.isRight(account)) {
      accounts += 1
      visit.account(account.right)
    } else {
      invalid += 1
      visit.invalid({ ...account.left, line: number })
    }
  }
  for await (const piece of pieces) {
    stop.throwIfAborted()
    if (piece.kind === 'long line') {
      if (!piece.ends) continue
      number += 1
      invalid += 1
      visit.invalid({ ...unreadable, line: number })
      continue
    }
    for (const { start, end } of linesOf(piece.bytes)) {
      number += 1
      const line = piece.bytes.subarray(start, end)
      if (!isBlank(line)) visitLine(line)
    }
  }
  return { accounts, invalid }
}

/** The bytes of a digest: the first ones of a SHA-256. */
export const digestBytes = 16

/** The first `digestBytes` of the SHA-256 of a text in UTF-8. */
export type DigestOf = (text: string) => Uint8Array

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Bits of a mark. */
const inFile = 1
const isRepeated = 2
const isStaged = 4
const isCreated = 8
const hasAdditions = 16

/** A count of account numbers or lines, and a list of the first ones. */
export class NumberList {
  count = 0
  readonly named: string[] = []
  static readonly most = 1000

  add(number: string): void {
    this.count += 1
    if (this.named.length < NumberList.most) this.named.push(number)
  }
}

/**
 * The accounts by the result of the comparison. `differing` includes accounts that differ by additions alone. `corrected` and
 * `invalid` are lines: those whose number another file has in a valid line, and all other invalid ones.
 */
export type Compared = Readonly<
  Record<
    'repeated' | 'missing' | 'stagedOnly' | 'extra' | 'differing' | 'corrected' | 'invalid',
    NumberList
  > & {
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
  readonly #digestOf: DigestOf
  readonly #places = new Map<string, number>()
  /** For each place two digests: that of the file, then that of the service. */
  #digests = new Uint8Array(2 * digestBytes * 1024)
  #marks = new Uint8Array(1024)
  /** For each place the file of its last valid line. */
  #files = new Uint32Array(1024)
  readonly #invalid: Readonly<{ file: number; line: number; number: string | undefined }>[] = []
  readonly #sums = { file: figureSums(), staged: figureSums(), created: figureSums() }
  otherSuppliers = 0

  constructor(supplier: string, digestOf: DigestOf) {
    this.#supplier = supplier
    this.#digestOf = digestOf
  }

  /** `file`: the place of the file among the given ones. */
  addFromFile({ supplier, number, details }: FileAccount, file: number): void {
    if (supplier !== this.#supplier) {
      this.otherSuppliers += 1
      return
    }
    this.#sums.file.add(figuresOf(details))
    const place = this.#placeOf(number)
    this.#mark(place, this.#has(place, inFile) ? isRepeated : inFile)
    this.#files[place] = file
    this.#digests.set(this.#digestOf(comparedText({ details, createdAt: fileTime })), 2 * place * digestBytes)
  }

  addInvalid({ line, supplier, number }: InvalidLine, file: number): void {
    if (supplier === undefined || supplier === this.#supplier) this.#invalid.push({ file, line, number })
    else this.otherSuppliers += 1
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
    const start = (2 * place + 1) * digestBytes
    for (let at = 0; at < digestBytes; at += 1)
      this.#digests[start + at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16)
  }

  /** The result, after all accounts of the files and of the service were added. `files`: the names of the files. */
  compared(files: readonly string[]): Compared {
    const [repeated, missing, stagedOnly] = [new NumberList(), new NumberList(), new NumberList()]
    const [extra, differing] = [new NumberList(), new NumberList()]
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
    return { ...counts, repeated, missing, stagedOnly, extra, differing, grown, ...this.#invalidLines(files) }
  }

  figures(): Readonly<Record<'file' | 'staged' | 'created', AccountFigures>> {
    const { file, staged, created } = this.#sums
    return { file: file.total(), staged: staged.total(), created: created.total() }
  }

  #invalidLines(files: readonly string[]): Pick<Compared, 'corrected' | 'invalid'> {
    const [corrected, invalid] = [new NumberList(), new NumberList()]
    for (const { file, line, number } of this.#invalid) {
      const place = number === undefined ? undefined : this.#places.get(number)
      const isCorrected =
        place !== undefined && this.#has(place, inFile) && this.#files[place] !== file && number !== undefined
      if (isCorrected) corrected.add(number)
      else invalid.add(`${files[file] ?? ''} line ${line}${number === undefined ? '' : ` (${number})`}`)
    }
    return { corrected, invalid }
  }

  #has(place: number, bit: number): boolean {
    return ((this.#marks[place] ?? 0) & bit) !== 0
  }

  #mark(place: number, bit: number): void {
    this.#marks[place] = (this.#marks[place] ?? 0) | bit
  }

  #isEqual(place: number): boolean {
    const start = 2 * place * digestBytes
    for (let at = start; at < start + digestBytes; at += 1)
      if (this.#digests[at] !== this.#digests[at + digestBytes]) return false
    return true
  }

  #placeOf(number: string): number {
    const existing = this.#places.get(number)
    if (existing !== undefined) return existing
    const place = this.#places.size
    this.#places.set(number, place)
    if (place >= this.#marks.length) {
      this.#marks = joined([this.#marks, new Uint8Array(this.#marks.length)])
      this.#digests = joined([this.#digests, new Uint8Array(this.#digests.length)])
      const files = new Uint32Array(2 * this.#files.length)
      files.set(this.#files)
      this.#files = files
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
  digestOf: DigestOf,
): readonly string[] => {
  const digestText = (text: string): string => hexOf(digestOf(text))
  const own = new Map(
    [...valuesByPath({ details, createdAt: fileTime })].map(([path, value]) => [
      path,
      digestText(fieldText(number, path, value)),
    ]),
  )
  const found = new Map(fields.map(({ path, digest }) => [path, digest]))
  const paths = [...new Set([...own.keys(), ...found.keys()])]
  return paths.filter((path) => {
    const [mine, theirs] = [own.get(path), found.get(path)]
    if (mine === theirs) return false
    const wasEmpty = mine === digestText(fieldText(number, path, '[]'))
    return !(additions && mayGrow.test(path) && (mine === undefined || (wasEmpty && theirs === undefined)))
  })
}
