import type { Codec } from '../codec/index.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, pipe, type TaskEither, TE } from '../fp.js'
import type { ProcessRequest } from '../payloads/process-request.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { check, type ExtraFinding } from '../validation/check.js'
import { checkContext } from './check-account.js'
import type { RequestFailedValidation } from './errors.js'
import { namedSupplier } from './named-supplier.js'
import type { Submission } from './signatures.js'

export type CheckedRequest<Request = ProcessRequest> = Readonly<{
  request: Request
  supplier: ImportSupplier
}>

const supplierIsMissing: ExtraFinding = {
  path: ['import_supplier_code'],
  code: 'import_supplier_does_not_exist',
}

/** Reads a request to process and looks its supplier up; both kinds of entries come in one answer. */
export const checkProcessRequest =
  <Request>(ports: Pick<Ports, 'importSuppliers' | 'clock' | 'settings'>, codec: Codec<Request>) =>
  ({
    organisation,
    payload,
  }: Submission): TaskEither<RequestFailedValidation | PortFailure, CheckedRequest<Request>> =>
    pipe(
      namedSupplier(ports)(organisation, payload, 'import_supplier_code'),
      TE.flatMapEither(({ supplier, isMissing }) =>
        pipe(
          check(codec, payload, checkContext(ports, supplier), isMissing ? [supplierIsMissing] : []),
          E.bimap(
            (failed): RequestFailedValidation => ({ _tag: 'RequestFailedValidation', ...failed }),
            // It is there: otherwise the request has an error.
            ({ value }) => ({ request: value, supplier: supplier as ImportSupplier }),
          ),
        ),
      ),
    )
