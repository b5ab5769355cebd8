import type {
  ClaimedEmail,
  Delivery,
  EmailOutcome,
  EmailUseCases,
  MigrationNotice,
  StorePorts,
  SupplierSettings,
  UseCases,
} from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryCustomerNotifier, inMemoryPorts, inMemoryStorePorts } from '@account-import/core/in-memory'
import { answer } from '../../support/answers.js'
import { gasAccount, type JsonObject } from '../../support/samples.js'
import { setUp } from '../../support/set-up.js'
import { settableClock } from '../../use-cases/support/service.js'

/** A service whose supplier sends e-mails, and the e-mails. */
export const migrating = async (
  stores: StorePorts = inMemoryStorePorts(),
  reply?: (notice: MigrationNotice) => Delivery,
  settings: Partial<SupplierSettings> = {},
) => {
  const notices: MigrationNotice[] = []
  const clock = settableClock()
  const ports = inMemoryPorts({
    ...stores,
    clock,
    customerNotifier: inMemoryCustomerNotifier(notices, reply),
  })
  const useCases = makeUseCases(ports)
  const made = await setUp(useCases.operator)
  const { organisation, supplier, team } = made
  await answer(
    useCases.operator.configureSupplier({
      code: supplier,
      change: (before) => ({ ...before, migrationEmails: true, ...settings }),
    }),
  )
  return {
    ...made,
    ports,
    useCases,
    clock,
    notices: notices as readonly MigrationNotice[],
    key: (number: string) => ({ organisation, importSupplier: supplier, externalAccountNumber: number }),
    /** Stages and processes an account. */
    migrate: async (
      number: string,
      changed: JsonObject = {},
      request: JsonObject = {},
    ): ReturnType<UseCases['processAccount']> => {
      const payload = { ...gasAccount(supplier, number), ...changed }
      await answer(useCases.stageAccount({ organisation, payload }))
      return useCases.processAccount({
        organisation,
        payload: {
          import_supplier_code: supplier,
          external_account_number: number,
          operations_team_name: team,
          ...request,
        },
      })
    },
    /** The e-mails of the supplier. */
    emails: () =>
      answer(
        ports.outbox.page({
          organisation,
          importSupplier: supplier,
          list: undefined,
          after: undefined,
          limit: 1000,
        }),
      ),
  }
}

export type Migrating = Awaited<ReturnType<typeof migrating>>

/** An e-mail that is due, claimed. */
export const claimOne = async ({ useCases }: Pick<Migrating, 'useCases'>): Promise<ClaimedEmail> => {
  const [claimed] = await answer(useCases.emails.claimDue(1))
  if (claimed === undefined) throw new Error('nothing was claimed')
  return claimed
}

/** Delivers the claimed e-mails by a relay that is not stopped. */
export const deliver = (
  { useCases }: Readonly<{ useCases: Readonly<{ emails: EmailUseCases }> }>,
  claimed: ClaimedEmail,
): ReturnType<EmailUseCases['deliver']> => useCases.emails.deliver(claimed, new AbortController().signal)

const told = ({ outcome, code }: EmailOutcome): string =>
  code === undefined ? outcome : `${outcome} ${code}`

/** One turn of a relay: all due e-mails are tried once; returns the outcomes. */
export const relayOnce = async (world: Pick<Migrating, 'useCases'>): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for (const each of await answer(world.useCases.emails.claimDue(100)))
    outcomes.push(told(await answer(deliver(world, each))))
  return outcomes
}
