import { catalogue } from '../catalogue/index.js'
import { severityInForce } from '../codec/severity-in-force.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import type { ExtraFinding } from '../validation/check.js'
import type { LocatedPath } from '../validation/document-paths.js'
import { builtInSettings } from '../validation/initial-settings.js'
import { documentKey } from '../values/document-path.js'

const code = 'path_does_not_exist_in_file_store'

const notPossible: readonly ExtraFinding[] = [{ path: [], code: 'document_check_not_possible' }]

/**
 * Asks the document storage for the documents of a payload, each once, if the supplier's settings switch that check
 * on: an entry for each path without a document. When the storage fails, a check that only warns says so in one
 * warning; one that refuses makes the request fail as `unavailable`.
 */
export const checkDocuments =
  ({ documents }: Pick<Ports, 'documents'>) =>
  (
    supplier: ImportSupplier | undefined,
    pathsOf: () => readonly LocatedPath[],
  ): PortResult<readonly ExtraFinding[]> => {
    const settings = supplier?.settings ?? builtInSettings
    const severity = severityInForce(code, catalogue[code], settings)
    if (severity === 'off') return TE.right([])
    const placed = pathsOf().map(({ at, path }) => ({ at, key: documentKey(settings.documentRoot, path) }))
    // A path without a key cannot have a document, so the storage is not asked for it.
    const keys = [...new Set(placed.flatMap(({ key }) => (key === undefined ? [] : [key])))]
    return pipe(
      keys.length === 0 || supplier === undefined
        ? TE.right<never, ReadonlySet<string>>(new Set())
        : documents.existing(keys, supplier.organisation),
      TE.map((existing) =>
        placed
          .filter(({ key }) => key === undefined || !existing.has(key))
          .map(({ at }): ExtraFinding => ({ path: at, code })),
      ),
      TE.orElse((failure) =>
        severity === 'warn' ? TE.right(notPossible) : TE.left({ ...failure, kind: 'unavailable' as const }),
      ),
    )
  }
