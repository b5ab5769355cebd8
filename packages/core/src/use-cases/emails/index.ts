import type { Ports } from '../../ports/index.js'
import type { EmailUseCases } from '../signatures.js'
import { leaseEnd } from './ask-recipients.js'
import { deliverEmail, releaseEmail } from './deliver-email.js'

/** What a relay of e-mails does, on the given ports. */
export const makeEmailUseCases = (
  ports: Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'secrets' | 'settings'>,
): EmailUseCases => ({
  canSend: ports.customerNotifier.canSend,
  claimDue: (limit) => {
    const at = ports.clock.now()
    const token = ports.secrets.generate()
    return ports.outbox.claimDue({ token, at, leaseEndsAt: leaseEnd(ports, at), limit })
  },
  deliver: deliverEmail(ports),
  release: releaseEmail(ports),
})
