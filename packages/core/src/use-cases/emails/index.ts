import type { Ports } from '../../ports/index.js'
import { plusSeconds } from '../../values/instant.js'
import type { EmailUseCases } from '../signatures.js'
import { deliverEmail, releaseEmail } from './deliver-email.js'

/** A lease lasts longer than sending may take, so that a slow relay does not lose the e-mail that it is sending. */
const leaseSeconds = (sendSeconds: number): number => 2 * sendSeconds + 30

/** What a relay of e-mails does, on the given ports. */
export const makeEmailUseCases = (
  ports: Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'secrets' | 'settings'>,
): EmailUseCases => ({
  canSend: ports.customerNotifier.canSend,
  claimDue: (limit) => {
    const at = ports.clock.now()
    const leaseEndsAt = plusSeconds(at, leaseSeconds(ports.settings.emails.sendSeconds))
    return ports.outbox.claimDue({ token: ports.secrets.generate(), at, leaseEndsAt, limit })
  },
  deliver: deliverEmail(ports),
  release: releaseEmail(ports),
})
