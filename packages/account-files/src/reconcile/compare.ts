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
import { isBlank, linesOf } from '../lines/lines-of.js'
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

/** A count of account numbers or lines, and a list of the first ones. */
export class NumberList {
  count = 0
  named: string[] = []
  static readonly most = 1000

  add(number: string): void {
    this.count += 1
    if (this.named.length < NumberList.most) this.named.push(number)
  }

  /** Adds another list; the first ones of both remain, sorted. */
  merge(other: NumberList): void {
    this.count += other.count
    this.named = [...this.named, ...other.named].sort().slice(0, NumberList.most)
  }
}

/** Texts in parts, each of which is read once, as a whole. */
export type Parts = Readonly<{ add(part: number, text: string): void; read(part: number): string }>

/** Parts in memory, for programs without a disk. */
export const partsInMemory = (): Parts => {
  const texts: string[][] = []
  return {
    add: (part, text) => (texts[part] ??= []).push(text),
    read: (part) => texts[part]?.join('') ?? '',
  }
}

/** The number of parts; the accounts of one are in memory at a time. */
const partCount = 64

/** The place of a file among the given ones, and a line of it. */
type InvalidPlace = readonly [file: number, line: number, number?: string]

/** Accounts that are not to be created: the reason of each, by its number. */
export type Excluded = Readonly<Record<string, string>>

/** A count of invalid lines, and the first ones. */
class PlaceList {
  count = 0
  private first: readonly InvalidPlace[] = []

  merge(places: readonly InvalidPlace[]): void {
    this.count += places.length
    this.first = [...this.first, ...places]
      .sort(([file, line], [otherFile, otherLine]) => file - otherFile || line - otherLine)
      .slice(0, NumberList.most)
  }

  asNumbers(textOf: (place: InvalidPlace) => string): NumberList {
    return Object.assign(new NumberList(), { count: this.count, named: this.first.map(textOf) })
  }
}

/** The facts of an account: lines and last file of the valid lines with its number, digests of both sides. */
type Entry = Readonly<{
  lines: number
  file?: number
  ofFile?: string
  ofService?: string
  state?: 'staged' | 'created'
  hasAdditions?: boolean
  invalid?: InvalidPlace[]
}>

/**
 * The accounts by the result of the comparison. `differing` includes accounts that differ by additions alone. `corrected` and
 * `invalid` are lines: those whose number another file has in a valid line, and all other invalid ones. `excluded`: numbers of the
 * exclusion that were not created, with their reasons; `excludedCreated`, `excludedUnknown`: those created, those in no file.
 */
export type Compared = Readonly<
  Record<(typeof listNames)[number] | 'corrected' | 'invalid', NumberList> & {
    inFiles: number
    /** Accounts of all lines, valid or not; a line without a readable number is one. */
    inAnyLine: number
    /** Those of them, with a number, that are not created. */
    neverImported: number
    created: number
    equal: number
    withAdditions: number
    /** The differing accounts with additions. */
    grown: ReadonlySet<string>
  }
>

/**
 * Compares the accounts of one supplier in files with those of the service, added in any order. The number and the digest of each
 * account go into a part of `parts`.
 */
export class Comparison {
  readonly #supplier: string
  readonly #digestOf: DigestOf
  readonly #parts: Parts
  readonly #excluded: ReadonlyMap<string, string>
  readonly #unnamed: InvalidPlace[] = []
  #unnamedLines = 0
  readonly #sums = { file: figureSums(), staged: figureSums(), created: figureSums() }
  otherSuppliers = 0

  /** `excluded`: the reasons of accounts that are not to be created, by number. */
  constructor(supplier: string, digestOf: DigestOf, parts: Parts, excluded: Excluded = {}) {
    this.#excluded = new Map(Object.entries(excluded))
    this.#supplier = supplier
    this.#digestOf = digestOf
    this.#parts = parts
  }

  /** `file`: the place of the file among the given ones. */
  addFromFile({ supplier, number, details }: FileAccount, file: number): void {
    if (supplier !== this.#supplier) {
      this.otherSuppliers += 1
      return
    }
    if (!this.#excluded.has(number)) this.#sums.file.add(figuresOf(details))
    const ofFile = hexOf(this.#digestOf(comparedText({ details, createdAt: fileTime })))
    this.#store(number, { lines: 1, file, ofFile })
  }

  addInvalid({ line, supplier, number }: InvalidLine, file: number): void {
    if (supplier !== undefined && supplier !== this.#supplier) this.otherSuppliers += 1
    else if (number !== undefined) this.#store(number, { lines: 0, invalid: [[file, line, number]] })
    else {
      this.#unnamedLines += 1
      if (this.#unnamed.length < NumberList.most) this.#unnamed.push([file, line])
    }
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
    this.#store(number, { lines: 0, ofService: digest, state, hasAdditions: additions > 0 })
  }

  /** The result, after all accounts of the files and of the service were added. `files`: the names of the files. */
  compared(files: readonly string[]): Compared {
    const lists = emptyLists()
    // A line without a readable number may be of an account that exists.
    const counts = {
      inFiles: 0,
      inAnyLine: this.#unnamedLines,
      neverImported: 0,
      created: 0,
      equal: 0,
      withAdditions: 0,
    }
    const [grown, unknown] = [new Set<string>(), new Set(this.#excluded.keys())]
    const [corrected, invalid] = [new PlaceList(), new PlaceList()]
    invalid.merge(this.#unnamed)
    invalid.count = this.#unnamedLines
    for (let part = 0; part < partCount; part += 1) {
      const entries = this.#entriesOf(part)
      const own = emptyLists()
      const places: Record<'corrected' | 'invalid', InvalidPlace[]> = { corrected: [], invalid: [] }
      // Sorted, so that the lists do not depend on the order of arrival.
      for (const number of [...entries.keys()].sort()) {
        const entry = entries.get(number) ?? { lines: 0 }
        const { lines, ofFile, ofService, state, hasAdditions = false } = entry
        const isCreated = state === 'created'
        const reason = this.#excluded.get(number)
        for (const place of reason === undefined || isCreated ? (entry.invalid ?? []) : [])
          places[lines > 0 && entry.file !== place[0] ? 'corrected' : 'invalid'].push(place)
        if (isCreated) counts.created += 1
        if (hasAdditions) counts.withAdditions += 1
        if (lines > 0 || entry.invalid?.length) {
          unknown.delete(number)
          counts.inAnyLine += 1
          if (!isCreated) counts.neverImported += 1
        }
        if (reason !== undefined) {
          if (isCreated) own.excludedCreated.add(number)
          else if (!unknown.has(number)) own.excluded.add(`${number}: ${reason}`)
          if (!isCreated) continue
        }
        if (lines === 0) {
          if (state !== undefined) own.extra.add(number)
          continue
        }
        counts.inFiles += 1
        if (lines > 1) own.repeated.add(number)
        if (isCreated && ofFile === ofService) counts.equal += 1
        else if (isCreated) {
          own.differing.add(number)
          if (hasAdditions && own.differing.named.at(-1) === number) grown.add(number)
        } else if (state === 'staged') own.stagedOnly.add(number)
        else own.missing.add(number)
      }
      corrected.merge(places.corrected)
      invalid.merge(places.invalid)
      for (const name of listNames) lists[name].merge(own[name])
    }
    for (const number of [...unknown].sort()) lists.excludedUnknown.add(number)
    return {
      ...counts,
      ...lists,
      grown,
      corrected: corrected.asNumbers(([, , number = '']) => number),
      invalid: invalid.asNumbers(
        ([file, line, number]) =>
          `${files[file] ?? ''} line ${line}${number === undefined ? '' : ` (${number})`}`,
      ),
    }
  }

  figures(): Readonly<Record<'file' | 'staged' | 'created', AccountFigures>> {
    const { file, staged, created } = this.#sums
    return { file: file.total(), staged: staged.total(), created: created.total() }
  }

  #store(number: string, entry: Entry): void {
    this.#parts.add((this.#digestOf(number)[0] ?? 0) % partCount, `${JSON.stringify([number, entry])}\n`)
  }

  #entriesOf(part: number): ReadonlyMap<string, Entry> {
    const entries = new Map<string, Entry>()
    for (const text of this.#parts.read(part).split('\n')) {
      if (text === '') continue
      const [number, entry] = JSON.parse(text) as readonly [string, Entry]
      const known = entries.get(number)
      const lines = (known?.lines ?? 0) + entry.lines
      const invalid = known?.invalid ?? []
      invalid.push(...(entry.invalid ?? []))
      entries.set(number, { ...known, ...entry, lines, invalid })
    }
    return entries
  }
}

const listNames = [
  'repeated',
  'missing',
  'stagedOnly',
  'extra',
  'differing',
  'excluded',
  'excludedCreated',
  'excludedUnknown',
] as const

const emptyLists = () =>
  Object.fromEntries(listNames.map((name) => [name, new NumberList()])) as Record<
    (typeof listNames)[number],
    NumberList
  >

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
