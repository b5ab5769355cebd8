import type { CustomerEmail } from '../../domain/customer-email.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { E, type Either, pipe, type TaskEither, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { EmailList } from '../../ports/outbox.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal, UseCaseResult } from '../errors.js'
import { orDoesNotExist } from './check-input.js'
import { inTurn, pagesOf } from '../pages.js'
import { supplierByCode } from './suppliers.js'

/** E-mails to customers that wait, were sent or are parked. */
export type OutboxUseCases = Readonly<{
  /** Page by page; a Left ends the iteration. Absent supplier: of all; absent list: in every state. */
  listEmails(
    input: Readonly<{ importSupplier: string | undefined; list: EmailList | undefined }>,
  ): UseCaseResult<OperatorRefusal, AsyncIterable<Either<PortFailure, readonly CustomerEmail[]>>>
  /** Makes an e-mail that is parked, or waits for another try, due at once. */
  retryEmail(id: string): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
  /** The same for all that are parked. */
  retryParkedEmails(
    input: Readonly<{ importSupplier: string | undefined }>,
  ): UseCaseResult<OperatorRefusal, Readonly<{ retried: number }>>
}>

type OutboxPorts = Pick<Ports, 'outbox' | 'importSuppliers' | 'clock'>

const pageLength = 500

const suppliersOf = (
  { importSuppliers }: OutboxPorts,
  code: string | undefined,
): TaskEither<OperatorRefusal | PortFailure, readonly ImportSupplier[]> =>
  code === undefined
    ? importSuppliers.list()
    : pipe(
        supplierByCode({ importSuppliers }, code),
        TE.map((supplier) => [supplier]),
      )

const emailsOf = (
  { outbox }: OutboxPorts,
  suppliers: readonly ImportSupplier[],
  list: EmailList | undefined,
) =>
  inTurn(suppliers, ({ organisation, code: importSupplier }) =>
    pagesOf<CustomerEmail>((last, limit) => {
      const after = last?.key.externalAccountNumber
      return outbox.page({ organisation, importSupplier, list, after, limit })
    }, pageLength),
  )

export const outboxUseCases = (ports: OutboxPorts): OutboxUseCases => ({
  listEmails: ({ importSupplier, list }) =>
    pipe(
      suppliersOf(ports, importSupplier),
      TE.map((suppliers) => emailsOf(ports, suppliers, list)),
    ),
  retryEmail: (id) =>
    pipe(
      ports.outbox.retry([id], ports.clock.now()),
      TE.flatMap((changed): TaskEither<OperatorRefusal | PortFailure, { retried: number }> =>
        changed > 0
          ? TE.right({ retried: changed })
          : pipe(
              ports.outbox.find(id),
              TE.flatMap(orDoesNotExist('e-mail', id)),
              TE.flatMap(({ state }) =>
                TE.left<OperatorRefusal>({
                  _tag: state._tag === 'sent' ? 'EmailIsSent' : 'EmailIsBeingSent',
                }),
              ),
            ),
      ),
    ),
  retryParkedEmails: ({ importSupplier }) =>
    pipe(
      suppliersOf(ports, importSupplier),
      TE.flatMap((suppliers) => async () => {
        let retried = 0
        for await (const page of emailsOf(ports, suppliers, 'parked')) {
          if (E.isLeft(page)) return page
          const ids = page.right.map(({ id }) => id)
          const changed = await ports.outbox.retry(ids, ports.clock.now())()
          if (E.isLeft(changed)) return changed
          retried += changed.right
        }
        return E.right({ retried })
      }),
    ),
})
