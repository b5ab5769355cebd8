import type { Ports } from '../../ports/index.js'
import { plusSeconds, type Instant } from '../../values/instant.js'

/**
 * When a lease that begins or is renewed at this moment ends. It lasts longer than sending one message may take, so that a
 * slow relay does not lose the e-mail that it is sending.
 */
export const leaseEnd = ({ settings }: Pick<Ports, 'settings'>, at: Instant): Instant =>
  plusSeconds(at, 2 * settings.emails.sendSeconds + 30)
