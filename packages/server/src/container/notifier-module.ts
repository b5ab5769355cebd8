import { smtpCustomerNotifier, type SmtpCustomerNotifier } from '@account-import/adapter-email'
import type { CustomerNotifier } from '@account-import/core'
import { ContainerModule } from 'inversify'
import type { ServerConfig } from '../config/server-config.js'
import { portIds, serviceId } from './port-ids.js'

/** The notifier without an SMTP server: `canSend` is false, so that e-mails wait and nothing is sent. */
const noNotifier: CustomerNotifier = {
  canSend: false,
  notify: () => async () => ({ _tag: 'unavailable', code: 'not_configured' }),
}

/** Binds the channel to customers to the configured SMTP server; its connections end when the container is unbound. */
export const notifierModule = ({
  mail,
  mailTemplates,
  mailTimeoutSeconds,
  timeZone,
}: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    if (mail === undefined) {
      bind(portIds.customerNotifier).toConstantValue(noNotifier)
      return
    }
    const smtpId = serviceId<SmtpCustomerNotifier>('smtpCustomerNotifier')
    bind(smtpId)
      .toDynamicValue(() =>
        smtpCustomerNotifier({
          ...mail,
          templates: mailTemplates,
          timeZone,
          milliseconds: mailTimeoutSeconds * 1000,
        }),
      )
      .inSingletonScope()
      .onDeactivation((notifier) => notifier.close())
    bind(portIds.customerNotifier)
      .toResolvedValue((notifier: SmtpCustomerNotifier): CustomerNotifier => notifier, [smtpId])
      .inSingletonScope()
  })
