import type { Relaying } from '../emails/support/relaying.js'
import type { Received } from '../emails/support/smtp-server.js'

/** Whether every account has one e-mail, which arrived and is on record as sent; and how many arrived again. */
export const checkEmails = async (
  world: Relaying,
  received: readonly Received[],
  numbers: readonly string[],
): Promise<Readonly<{ repeated: number; faults: readonly string[] }>> => {
  const faults: string[] = []
  const byNumber = new Map((await world.emails()).map((email) => [email.key.externalAccountNumber, email]))
  const arrived = new Map<string, number>()
  for (const { email } of received)
    arrived.set(email.messageId ?? '', (arrived.get(email.messageId ?? '') ?? 0) + 1)
  for (const number of numbers) {
    const email = byNumber.get(number)
    if (email === undefined) faults.push(`${number}: there is no e-mail`)
    else if (email.state._tag !== 'sent') faults.push(`${number}: ${email.state._tag}`)
    else if (!arrived.has(`<${email.id}@example.com>`)) faults.push(`${number}: lost`)
  }
  if (byNumber.size !== numbers.length) faults.push(`${byNumber.size} e-mails for ${numbers.length} accounts`)
  if (arrived.size !== numbers.length)
    faults.push(`${arrived.size} different messages for ${numbers.length} accounts`)
  return { repeated: received.length - arrived.size, faults }
}
