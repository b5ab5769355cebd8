import { customerNotifierCases } from '@account-import/core/contract-tests'
import { inMemoryCustomerNotifier } from '@account-import/core/in-memory'
import type { MigrationNotice } from '@account-import/core'
import test from 'ava'
import { notifierOf } from './support/notices.js'
import { startSmtpServer } from './support/smtp-server.js'

for (const { port, title, run } of customerNotifierCases) {
  test(`${port}: ${title} (in memory)`, async (t) => {
    const notices: MigrationNotice[] = []
    const arrived = () => notices.map(({ recipient }) => [recipient.address])
    await t.notThrowsAsync(() => run({ customerNotifier: inMemoryCustomerNotifier(notices), arrived }))
  })

  test(`${port}: ${title} (SMTP)`, async (t) => {
    const server = await startSmtpServer()
    t.teardown(() => server.close())
    const customerNotifier = notifierOf(t, server.port, { milliseconds: 20_000 })
    const arrived = () => server.received.map(({ to }) => to)
    await t.notThrowsAsync(() => run({ customerNotifier, arrived }))
  })
}
