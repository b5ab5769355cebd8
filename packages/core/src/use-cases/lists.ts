import { E, type Either } from '../fp.js'
import type { Ports } from '../ports/index.js'
import { noOutcome, type PortFailure } from '../ports/port-failure.js'
import type { FoundSupplier } from '../ports/registers.js'
import type { NamedSupplier } from './check-payload.js'

/** Does the work for the rights together, and leaves each left in its place. `work` answers each item, in their order. */
export const forRights = async <L, A, M, B>(
  all: readonly Either<L, A>[],
  work: (rights: readonly A[]) => Promise<readonly Either<M, B>[]>,
): Promise<readonly Either<L | M | PortFailure, B>[]> => {
  const rights = all.flatMap((each) => (E.isRight(each) ? [each.right] : []))
  const answers = (rights.length === 0 ? [] : await work(rights)).values()
  return all.map((each) => {
    if (E.isLeft(each)) return each
    const next = answers.next()
    return next.done === true ? E.left(noOutcome()) : next.value
  })
}

/** A read that each name needs once, however many items of a list name it. */
export const readOnce = <Input extends readonly string[], Found>(
  read: (...input: Input) => Promise<Found>,
): ((...input: Input) => Promise<Found>) => {
  const found = new Map<string, Promise<Found>>()
  return (...input) => {
    const name = input.join('\u0000')
    const known = found.get(name) ?? read(...input)
    found.set(name, known)
    return known
  }
}

/** Finds a supplier by its code; undefined for a code that cannot be read. */
export type SupplierOf = (
  organisation: string,
  code: string | undefined,
) => Promise<Either<PortFailure, NamedSupplier>>

type Find = (organisation: string, code: string) => Promise<Either<PortFailure, FoundSupplier | undefined>>

const supplierBy =
  (find: Find): SupplierOf =>
  async (organisation, code) => {
    if (code === undefined) return E.right({ supplier: undefined, isMissing: false })
    const found = await find(organisation, code)
    return E.isLeft(found) ? found : E.right({ supplier: found.right, isMissing: found.right === undefined })
  }

type SupplierPorts = Pick<Ports, 'importSuppliers'>

/** Reads a supplier whenever it is named. Stores join the reads of one moment. */
export const presentSuppliers = ({ importSuppliers }: SupplierPorts): SupplierOf =>
  supplierBy((organisation, code) => importSuppliers.find(organisation, code)())

/** Reads each supplier once, however many items of a list name it; to be made for each list. */
export const suppliersOf = ({ importSuppliers }: SupplierPorts): SupplierOf =>
  supplierBy(readOnce((organisation: string, code: string) => importSuppliers.find(organisation, code)()))
