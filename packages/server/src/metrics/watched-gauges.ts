import type { PoolUse } from '@account-import/adapter-sql'
import type { OutboxBacklog } from '@account-import/core'
import { Gauge, type Registry } from 'prom-client'

/** What is looked at when metrics are read. */
export type Watched = Readonly<{
  databasePool(): PoolUse
  /** Undefined where the outbox cannot be read now. */
  outboxBacklog(): Promise<OutboxBacklog | undefined>
}>

const poolGauges = ({ databasePool }: Watched, registers: Registry[]): void => {
  new Gauge({
    name: 'account_import_database_connections',
    help: 'Open connections to the database, by whether they have work.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, free } = databasePool()
      this.set({ state: 'used' }, used)
      this.set({ state: 'free' }, free)
    },
  })
  new Gauge({
    name: 'account_import_database_connections_limit',
    help: 'Most connections that may be open.',
    registers,
    collect() {
      this.set(databasePool().most)
    },
  })
  new Gauge({
    name: 'account_import_database_calls_waiting',
    help: 'Calls that wait for a connection now.',
    registers,
    collect() {
      this.set(databasePool().waiting)
    },
  })
}

/** All processes look at one outbox, so that their figures are not added up. */
const outboxGauges = ({ outboxBacklog }: Watched, registers: Registry[]): void => {
  const shared = { registers, aggregator: 'max' as const }
  new Gauge({
    ...shared,
    name: 'account_import_outbox_emails',
    help: 'E-mails to customers that are not sent, counted up to 10 000; absent while the outbox cannot be read.',
    labelNames: ['state'],
    async collect() {
      this.reset()
      const backlog = await outboxBacklog()
      if (backlog === undefined) return
      this.set({ state: 'waiting' }, backlog.waiting)
      this.set({ state: 'parked' }, backlog.parked)
    },
  })
  new Gauge({
    ...shared,
    name: 'account_import_outbox_overdue_seconds',
    help: 'For how long the e-mail that has been due longest is overdue; 0 where none is.',
    async collect() {
      const backlog = await outboxBacklog()
      if (backlog === undefined) return this.remove()
      const due = backlog.firstDueAt
      this.set(due === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(due)) / 1000))
    },
  })
}

/** Registers what is not counted but looked at, each time that metrics are read. */
export const watchedGauges = (registry: Registry, watched: Watched): void => {
  poolGauges(watched, [registry])
  outboxGauges(watched, [registry])
}
