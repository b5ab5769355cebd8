import type { Codec } from '../codec/index.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe, type TaskEither, TE } from '../fp.js'
import type { ProcessRequest } from '../payloads/process-request.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import { check, type ExtraFinding } from '../validation/check.js'
import { checkContext } from './check-account.js'
import type { RequestFailedValidation } from './errors.js'
import { namedSupplier, type NamedSupplier } from './named-supplier.js'
import type { Submission } from './signatures.js'

export type CheckedRequest<Request = ProcessRequest> = Readonly<{
  request: Request
  supplier: ImportSupplier
}>

const supplierIsMissing: ExtraFinding = {
  path: ['import_supplier_code'],
  code: 'import_supplier_does_not_exist',
}

/** Reads a request to process, by the settings of the supplier that was found for it. */
export const checkedRequest =
  <Request>(ports: Pick<Ports, 'clock' | 'settings'>, codec: Codec<Request>) =>
  (
    payload: unknown,
    { supplier, isMissing }: NamedSupplier,
  ): Either<RequestFailedValidation, CheckedRequest<Request>> =>
    pipe(
      check(codec, payload, checkContext(ports, supplier), isMissing ? [supplierIsMissing] : []),
      E.bimap(
        (failed): RequestFailedValidation => ({ _tag: 'RequestFailedValidation', ...failed }),
        // It is there: otherwise the request has an error.
        ({ value }) => ({ request: value, supplier: supplier as ImportSupplier }),
      ),
    )

/** Reads a request to process and looks its supplier up; both kinds of entries come in one answer. */
export const checkProcessRequest =
  <Request>(
    ports: Parameters<typeof namedSupplier>[0] & Pick<Ports, 'clock' | 'settings'>,
    codec: Codec<Request>,
  ) =>
  ({
    organisation,
    payload,
  }: Submission): TaskEither<RequestFailedValidation | PortFailure, CheckedRequest<Request>> =>
    pipe(
      namedSupplier(ports)(organisation, payload, 'import_supplier_code'),
      TE.flatMapEither((named) => checkedRequest(ports, codec)(payload, named)),
    )
