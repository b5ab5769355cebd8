import { noOrganisation, type SealedEntry } from '../../domain/audit-entry.js'
import { E, pipe, TE, type Either, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { compareCodePoints } from '../../values/compare-code-points.js'
import type { OperatorRefusal } from '../errors.js'
import type { AuditUseCases, ListedEntry, WantedEntries } from '../audit-signatures.js'
import { pagesOf } from './pages-of.js'

export type AuditPorts = Pick<Ports, 'auditTrail' | 'organisations' | 'importSuppliers'>

const pageLength = 500

/** How many of those that wait are looked at: where sealing goes on, hardly more ever do. */
const mostUnsealed = 1000

/** Whose entries are wanted: those of all, with what belongs to none, unless one or a supplier is named. */
const organisationsOf = (
  { auditTrail, organisations, importSuppliers }: AuditPorts,
  { organisation, importSupplier }: WantedEntries,
): TaskEither<OperatorRefusal | PortFailure, readonly string[]> => {
  if (organisation !== undefined) return TE.right([organisation])
  if (importSupplier !== undefined)
    return pipe(
      importSuppliers.findByCode(importSupplier),
      TE.flatMap((found): TaskEither<OperatorRefusal, readonly string[]> =>
        found === undefined
          ? TE.left({ _tag: 'DoesNotExist', subject: 'import supplier', name: importSupplier })
          : TE.right([found.organisation]),
      ),
    )
  return pipe(
    auditTrail.heads(),
    TE.bindTo('heads'),
    TE.bind('registered', () => organisations.list()),
    TE.map(({ heads, registered }) => {
      const codes = [
        noOrganisation,
        ...heads.map((head) => head.organisation),
        ...registered.map(({ code }) => code),
      ]
      return [...new Set(codes)].sort(compareCodePoints)
    }),
  )
}

async function* entriesOf(
  { auditTrail }: AuditPorts,
  wanted: WantedEntries,
  organisations: readonly string[],
): AsyncGenerator<Either<PortFailure, readonly ListedEntry[]>> {
  for (const organisation of organisations) {
    const filter = { ...wanted, organisation }
    const sealed = pagesOf<SealedEntry>(
      (last, limit) => auditTrail.sealed(filter, last?.sequence ?? 0, limit),
      pageLength,
    )
    for await (const page of sealed) {
      yield page
      if (E.isLeft(page)) return
    }
    const waiting = await auditTrail.unsealed(filter, mostUnsealed)()
    yield E.isLeft(waiting) ? waiting : E.right(waiting.right.map((entry) => ({ entry })))
    if (E.isLeft(waiting)) return
  }
}

/** The entries organisation by organisation, page by page: what is sealed by its numbers, then what waits. */
export const listEntries =
  (ports: AuditPorts): AuditUseCases['list'] =>
  (wanted) =>
    pipe(
      organisationsOf(ports, wanted),
      TE.map((organisations) => entriesOf(ports, wanted, organisations)),
    )
