import type { CustomerEmail } from '../../domain/customer-email.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { E, pipe, type TaskEither, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { EmailList } from '../../ports/outbox.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { orDoesNotExist } from './check-input.js'

type OutboxPorts = Pick<Ports, 'outbox' | 'importSuppliers' | 'clock'>

const pageLength = 500

/** The named supplier, or all of them. */
const suppliersOf = (
  { importSuppliers }: OutboxPorts,
  code: string | undefined,
): TaskEither<OperatorRefusal | PortFailure, readonly ImportSupplier[]> =>
  code === undefined
    ? importSuppliers.list()
    : pipe(
        importSuppliers.findByCode(code),
        TE.flatMap(orDoesNotExist('import supplier', code)),
        TE.map((supplier) => [supplier]),
      )

const pagesOf = async function* (
  { outbox }: OutboxPorts,
  suppliers: readonly ImportSupplier[],
  list: EmailList | undefined,
): AsyncGenerator<E.Either<PortFailure, readonly CustomerEmail[]>> {
  for (const { organisation, code: importSupplier } of suppliers) {
    let after: string | undefined
    do {
      const page = await outbox.page({ organisation, importSupplier, list, after, limit: pageLength })()
      yield page
      if (E.isLeft(page)) return
      after = page.right.length < pageLength ? undefined : page.right.at(-1)?.key.externalAccountNumber
    } while (after !== undefined)
  }
}

/** The e-mails page by page, supplier by supplier, in constant memory. */
export const listEmails =
  (ports: OutboxPorts): OperatorUseCases['listEmails'] =>
  ({ importSupplier, list }) =>
    pipe(
      suppliersOf(ports, importSupplier),
      TE.map((suppliers) => pagesOf(ports, suppliers, list)),
    )

/** Makes one e-mail due at once. */
export const retryEmail =
  ({ outbox, clock }: OutboxPorts): OperatorUseCases['retryEmail'] =>
  (id) =>
    pipe(
      outbox.retry([id], clock.now()),
      TE.flatMap((changed): TaskEither<OperatorRefusal | PortFailure, { retried: number }> =>
        changed > 0
          ? TE.right({ retried: changed })
          : pipe(
              outbox.find(id),
              TE.flatMap(orDoesNotExist('e-mail', id)),
              TE.flatMap(({ state }) =>
                TE.left<OperatorRefusal>({
                  _tag: state._tag === 'sent' ? 'EmailIsSent' : 'EmailIsBeingSent',
                }),
              ),
            ),
      ),
    )

/** Makes all parked e-mails due at once, page by page; what was changed before a failure stays changed. */
export const retryParkedEmails =
  (ports: OutboxPorts): OperatorUseCases['retryParkedEmails'] =>
  ({ importSupplier }) =>
    pipe(
      suppliersOf(ports, importSupplier),
      TE.flatMap((suppliers) => async () => {
        let retried = 0
        for await (const page of pagesOf(ports, suppliers, 'parked')) {
          if (E.isLeft(page)) return page
          const ids = page.right.map(({ id }) => id)
          const changed = await ports.outbox.retry(ids, ports.clock.now())()
          if (E.isLeft(changed)) return changed
          retried += changed.right
        }
        return E.right({ retried })
      }),
    )
