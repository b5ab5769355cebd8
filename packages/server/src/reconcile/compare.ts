import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  type AccountDetails,
  type AccountFigures,
  builtInSettings,
  instantOf,
  systemClock,
} from '@account-import/core'
import {
  accountFromPayload,
  checkAccountPayload,
  type CheckContext,
  comparedText,
  E,
  fieldText,
  figuresOf,
  figureSums,
  today,
  valuesByPath,
} from '@account-import/core/adapter-kit'
import { type AnswerOf, bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import { isBlank, linesOf } from '../account-files/input/lines-of.js'
import { piecesOf } from '../account-files/input/pieces.js'
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
const fileTime = instantOf(0)

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

const digestBytes = 16

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, digestBytes)

/** Bits of a mark. */
const inFile = 1
const isRepeated = 2
const isStaged = 4
const isCreated = 8
const hasAdditions = 16

/** Account numbers of a kind: all are counted, and the first of them are named. */
export class Numbers {
  count = 0
  readonly named: string[] = []
  static readonly most = 1000

  add(number: string): void {
    this.count += 1
    if (this.named.length < Numbers.most) this.named.push(number)
  }
}

/** The accounts by what became of them. `differing`: whether anything but additions differs is looked up afterwards. */
export type Compared = Readonly<
  Record<'repeated' | 'missing' | 'stagedOnly' | 'extra' | 'differing', Numbers> & {
    inFiles: number
    created: number
    equal: number
    withAdditions: number
    /** The named ones of those that differ to which something was added. */
    grown: ReadonlySet<string>
  }
>

/**
 * The accounts of one supplier in files, beside those of the service: both may come at the same time, in any order. It keeps of each
 * account its number, two digests and a mark: about 120 bytes.
 */
export class Comparison {
  readonly #supplier: string
  readonly #places = new Map<string, number>()
  /** By place, the digest of the file and that of the service. */
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

  /** To be called when the files were read and the service has named all that it has. */
  compared(): Compared {
    const [repeated, missing, stagedOnly] = [new Numbers(), new Numbers(), new Numbers()]
    const [extra, differing] = [new Numbers(), new Numbers()]
    const counts = { inFiles: 0, created: 0, equal: 0, withAdditions: 0 }
    const grown = new Set<string>()
    // In order, so that the same accounts are named whatever came first.
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
    const known = this.#places.get(number)
    if (known !== undefined) return known
    const place = this.#places.size
    this.#places.set(number, place)
    if (place >= this.#marks.length) {
      this.#marks = Buffer.concat([this.#marks, Buffer.alloc(this.#marks.length)])
      this.#digests = Buffer.concat([this.#digests, Buffer.alloc(this.#digests.length)])
    }
    return place
  }
}

/** Lists to which requests add after an account was created. */
const mayGrow = /(?:^|\.)(?:notes|statements|payment_instructions|\w*transactions\w*)(?:$|\.)/

/** The paths at which an account of a file differs from the service's, of which nothing but digests is known. */
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
