import { createHash } from 'node:crypto'
import type { AccountFigures } from '@account-import/core'
import {
  comparedText,
  fieldText,
  figuresOf,
  figureSums,
  valuesByPath,
} from '@account-import/core/adapter-kit'
import type { AccountDigestBody, FieldDigestsBody } from '@account-import/http-contract'
import { type FileAccount, fileTime } from './file-accounts.js'

const digestBytes = 16

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, digestBytes)

const seenInService = 1
const isRepeated = 2

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

/**
 * The accounts of one supplier in files, beside those of the service. It keeps of each account of the files its number, its digest and
 * a mark: about 100 bytes.
 */
export class Comparison {
  readonly #supplier: string
  readonly #places = new Map<string, number>()
  #digests = Buffer.alloc(digestBytes * 1024)
  #marks = Buffer.alloc(1024)
  readonly #sums = { file: figureSums(), staged: figureSums(), created: figureSums() }
  otherSuppliers = 0
  equal = 0
  created = 0
  withAdditions = 0
  readonly repeated = new Numbers()
  readonly missing = new Numbers()
  readonly stagedOnly = new Numbers()
  readonly extra = new Numbers()
  /** Accounts whose digests differ; whether anything but additions does is looked up afterwards. */
  readonly differing = new Numbers()
  /** Those of the named ones to which something was added. */
  readonly grown = new Set<string>()

  constructor(supplier: string) {
    this.#supplier = supplier
  }

  /** The distinct accounts of the files. */
  get inFiles(): number {
    return this.#places.size
  }

  addFromFile({ supplier, number, details }: FileAccount): void {
    if (supplier !== this.#supplier) {
      this.otherSuppliers += 1
      return
    }
    this.#sums.file.add(figuresOf(details))
    const known = this.#places.get(number)
    const place = known ?? this.#places.size
    if (known === undefined) this.#add(number, place)
    else if (this.#marks[place] !== isRepeated) {
      this.#marks[place] = isRepeated
      this.repeated.add(number)
    }
    digestOf(comparedText({ details, createdAt: fileTime })).copy(this.#digests, place * digestBytes)
  }

  addFromService(found: AccountDigestBody): void {
    const { external_account_number: number, state, digest, additions } = found
    const { supply_points: supplyPoints, balances, transactions, statements, notes } = found
    this.#sums[state].add({
      balances: Object.fromEntries(balances.map(({ ledger_code: name, ...summed }) => [name, summed])),
      transactions: Object.fromEntries(transactions.map(({ type, ...summed }) => [type, summed])),
      statements,
      notes,
      supplyPoints,
    })
    if (state === 'created') this.created += 1
    if (additions > 0) this.withAdditions += 1
    const place = this.#places.get(number)
    if (place === undefined) {
      this.extra.add(number)
      return
    }
    this.#marks[place] = seenInService
    const own = this.#digests.toString('hex', place * digestBytes, (place + 1) * digestBytes)
    if (state === 'staged') this.stagedOnly.add(number)
    else if (own === digest) this.equal += 1
    else {
      this.differing.add(number)
      if (additions > 0) this.grown.add(number)
    }
  }

  /** To be called when the service has named all that it has. */
  end(): void {
    for (const [number, place] of this.#places)
      if (this.#marks[place] !== seenInService) this.missing.add(number)
  }

  figures(): Readonly<Record<'file' | 'staged' | 'created', AccountFigures>> {
    const { file, staged, created } = this.#sums
    return { file: file.total(), staged: staged.total(), created: created.total() }
  }

  #add(number: string, place: number): void {
    this.#places.set(number, place)
    if (place < this.#marks.length) return
    this.#marks = Buffer.concat([this.#marks, Buffer.alloc(this.#marks.length)])
    this.#digests = Buffer.concat([this.#digests, Buffer.alloc(this.#digests.length)])
  }
}

/** Lists to which requests add after an account was created. */
const mayGrow = /(?:^|\.)(?:notes|statements|payment_instructions|\w*transactions\w*)(?:$|\.)/

/** The paths at which an account of a file differs from the service's, of which nothing but digests is known. */
export const differingPaths = (
  { number, details }: FileAccount,
  { fields }: FieldDigestsBody,
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
