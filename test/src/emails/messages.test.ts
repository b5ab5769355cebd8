import {
  bundledTemplates,
  parseMailSender,
  readTemplates,
  type TemplateValues,
} from '@account-import/adapter-email'
import type { MigrationNotice } from '@account-import/core'
import { safeForMail } from '@account-import/core/html'
import { customerNotifierCases } from '@account-import/core/contract-tests'
import { inMemoryCustomerNotifier } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accepted, notifierOf, sender } from './support/notices.js'
import { smtpServerFor, type Received } from './support/smtp-server.js'

const sent = async (
  t: ExecutionContext,
  changed: Parameters<ReturnType<typeof notifierOf>['send']>[0] = {},
  options: Parameters<typeof notifierOf>[2] = {},
): Promise<Received> => {
  const server = await smtpServerFor(t)
  const notifier = notifierOf(t, server.port, options)
  t.deepEqual(await notifier.send(changed), accepted)
  const [message] = server.received
  if (message === undefined) throw new Error('nothing arrived')
  return message
}

for (const { port, title, run } of customerNotifierCases) {
  test(`${port}: ${title} (in memory)`, async (t) => {
    const notices: MigrationNotice[] = []
    const arrived = () => notices.map(({ recipient }) => [recipient.address])
    await t.notThrowsAsync(() => run({ customerNotifier: inMemoryCustomerNotifier(notices), arrived }))
  })

  test(`${port}: ${title} (SMTP)`, async (t) => {
    const server = await smtpServerFor(t)
    const customerNotifier = notifierOf(t, server.port)
    const arrived = () => server.received.map(({ to }) => to)
    await t.notThrowsAsync(() => run({ customerNotifier, arrived }))
  })
}

const header = ({ email }: Received, name: string): readonly string[] =>
  email.headers.filter(({ key }) => key === name).map(({ value }) => value)

test('a message has sender, recipient, subject and an id of its own domain', async (t) => {
  const message = await sent(t)
  const { email } = message
  t.deepEqual([message.from, message.to], [sender.address, ['nuria@example.com']])
  t.like(email.from, sender)
  const addresses = email.to?.map(({ address }) => address)
  t.deepEqual(addresses, ['nuria@example.com'])
  t.is(email.messageId, '<aB3dE5gH7jK9mN1pQ3sT5v@mail.example.com>')
  t.deepEqual(header(message, 'auto-submitted'), ['auto-generated'])
  t.deepEqual(header(message, 'content-language'), ['es'])
  t.is(email.attachments.length, 0)
})

const words: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  es: [/Su cuenta LEV-G-000123 tiene/, /Hola Núria:[^]*2 de septiembre de 2025/],
  ca: [/El vostre compte LEV-G-000123/, /Hola Núria,[^]*2 de setembre (?:de|del) 2025/],
  en: [/Your account LEV-G-000123/, /Hello Núria,[^]*September 2, 2025/],
}

test('every bundled language has a subject, a text and a page, with the numbers and the local day', async (t) => {
  t.deepEqual([...bundledTemplates.keys()].sort(), Object.keys(words).sort())
  for (const [language, [subject, body]] of Object.entries(words)) {
    const { email } = await sent(t, { language })
    t.regex(email.subject ?? '', subject)
    for (const text of [email.text ?? '', (email.html ?? '').replaceAll(/<[^>]+>/g, '')]) {
      t.regex(text, body, language)
      for (const part of ['LEV-G-000123', 'A-0123456789AB', sender.name]) t.true(text.includes(part), part)
      t.notRegex(text, /\{\{|undefined/)
    }
    t.regex(email.html ?? '', new RegExp(`<html lang="${language}">`))
    t.notRegex(email.html ?? '', /<(?:img|link|script)|https?:/)
  }
})

test('a language without a template is answered in English', async (t) => {
  const message = await sent(t, { language: 'pt' })
  t.regex(message.email.subject ?? '', /^Your account/)
  t.deepEqual(header(message, 'content-language'), ['en'])
})

test('a customer without a name gets a greeting without one', async (t) => {
  const { email } = await sent(t, { recipient: { address: 'nuria@example.com', name: undefined } })
  t.regex(email.text ?? '', /^Hola:\n/)
})

test('a domain in another script is written in ASCII', async (t) => {
  const { raw } = await sent(t, { recipient: { address: 'ana@correo.españa.es', name: undefined } })
  t.regex(raw, /^To: ana@correo\.xn--espaa-rta\.es\r$/m)
})

test('no value becomes a header, a line of the subject or markup', async (t) => {
  const evil = '\r\nBcc: thief@example.com\r\n\r\n<script>alert("x")</script>&\u2028{{sender}}'
  const message = await sent(t, {
    recipient: { address: 'nuria@example.com', name: safeForMail(evil) },
    externalAccountNumber: `X${evil}`,
    platformAccountNumber: evil,
    importSupplier: evil,
  })
  const { email, to } = message
  t.deepEqual(to, ['nuria@example.com'])
  t.deepEqual([email.cc, email.bcc], [undefined, undefined])
  t.deepEqual(header(message, 'bcc'), [])
  t.notRegex(email.subject ?? '', /[\r\n\u2028]/)
  for (const part of [email.subject, email.text, email.html]) t.notRegex(part ?? '', /script|thief|\{\{/)
})

const messages =
  `URGENT: pay at evil.example/iban or your supply is cut | http://evil.example/login | www.evil.example
  | EVIL。COM | evil․com | click a.b/c | tel:+34900123456 | thief@evil.example`
    .split(/\s+\|\s+/)
    .concat('one\ntwo', 'x'.repeat(41))

test('an account number that resembles a message or a link is left out, and the e-mail reads well without it', async (t) => {
  for (const externalAccountNumber of messages)
    for (const language of bundledTemplates.keys()) {
      const { email } = await sent(t, { externalAccountNumber, language })
      for (const part of [email.subject, email.text, email.html]) {
        t.false((part ?? '').includes(externalAccountNumber), externalAccountNumber)
        t.notRegex(part ?? '', /anterior|Previous|evil|tel:/i)
      }
      t.regex(email.subject ?? '', /^(?:Su cuenta tiene|El vostre compte té|Your account has) /)
      t.regex(email.text ?? '', /A-0123456789AB/)
    }
})

test('a template accepts only checked texts', (t) => {
  // @ts-expect-error -- a plain string must not compile
  const raw: TemplateValues['name'] = 'evil.example'
  t.is(safeForMail(String(raw)), undefined)
})

test('e-mails contain account numbers of the usual forms', async (t) => {
  for (const externalAccountNumber of [
    'LEV/2024/000-1',
    '0000.123.45',
    'ES.0021.0001',
    'Compte núm. 7',
    'A_b',
  ])
    t.true((await sent(t, { externalAccountNumber })).email.subject?.includes(externalAccountNumber))
})

test('a sender without a name, or with a link as its name, is not in the closing words of an e-mail', async (t) => {
  for (const name of ['', 'www.llum.example']) {
    const { email } = await sent(t, {}, { from: { ...sender, name } })
    t.regex(email.text ?? '', /\nA partir de ahora[^\n]+\n*$/)
  }
})

test('an address that is not valid never reaches the server', async (t) => {
  const server = await smtpServerFor(t)
  for (const address of ['a@example.com>\r\nRCPT TO:<b@example.com', 'a b@example.com', '', 'a@b'])
    t.deepEqual(await notifierOf(t, server.port).send({ recipient: { address, name: undefined } }), {
      _tag: 'refused',
      code: 'recipient_refused',
    })
  t.deepEqual([server.connections(), server.received.length], [0, 0])
})

const folderWith = (t: ExecutionContext, files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const french = {
  'fr/subject.txt': 'Compte\n{{external_account_number}}\n',
  'fr/body.txt': 'Bonjour{{#name}} {{name}}{{/name}} ({{import_supplier}}, {{created_on}})',
  'fr/body.html': '<p title="{{name}}">{{name}}</p>',
}

test('templates in a folder add languages and replace bundled ones', async (t) => {
  const spanish = Object.fromEntries(
    Object.entries(french).map(([name, text]) => [name.replace('fr/', 'es/'), text]),
  )
  const read = readTemplates(folderWith(t, { ...french, ...spanish, 'README.md': 'not a language' }))
  if (read._tag === 'Left') return t.fail(read.left.join())
  t.deepEqual([...read.right.keys()].sort(), ['ca', 'en', 'es', 'fr'])
  const recipient = { address: 'a@example.com', name: safeForMail("Ana O'Neil") }
  const { email } = await sent(t, { language: 'fr', recipient }, { templates: read.right })
  t.is(email.subject, 'Compte LEV-G-000123')
  t.is(email.text?.trim(), "Bonjour Ana O'Neil (LEVANTE, 2 septembre 2025)")
  t.regex(email.html ?? '', /<p title="Ana O&#39;Neil">Ana O&#39;Neil<\/p>/)
  t.regex((await sent(t, { language: 'es' }, { templates: read.right })).email.text ?? '', /^Bonjour/)
})

test('templates that cannot be filled in are refused with the fault', (t) => {
  const faulty = (files: Readonly<Record<string, string>>) => {
    const read = readTemplates(folderWith(t, { ...french, ...files }))
    return read._tag === 'Left' ? read.left.join('; ') : ''
  }
  t.regex(faulty({ 'fr/body.txt': 'Dear {{firstname}}' }), /^fr\/body\.txt names \{\{firstname\}\}/)
  t.regex(faulty({ 'fr/body.html': '{{#name}}never closed' }), /^fr\/body\.html has braces/)
  t.regex(faulty({ 'fr/subject.txt': '{{ name }}' }), /^fr\/subject\.txt has braces/)
  t.regex(faulty({ 'de/subject.txt': 'Konto' }), /^de\/body\.txt cannot be read/)
  const many = { 'fr/body.txt': '{{x}}{{', 'fr/subject.txt': '{{', 'de/subject.txt': '{{' }
  t.is(
    faulty({ 'pt-BR/body.txt': 'Olá', ...many }),
    'de/body.txt cannot be read; de/body.html cannot be read; fr/subject.txt has braces that do not belong together; ' +
      'fr/body.txt names {{x}}; there is name, platform_account_number, external_account_number, import_supplier, ' +
      'created_on, sender; pt-BR is no language code of two or three small letters',
  )
  const missing = readTemplates('/nowhere/at/all')
  t.deepEqual(missing, { _tag: 'Left', left: [] })
})

test('a language may be a link to its folder, and names with a leading dot are ignored', (t) => {
  const folder = folderWith(t, { '.data/fr/x': '', ...french })
  symlinkSync(join(folder, 'fr'), join(folder, 'it'))
  const read = readTemplates(folder)
  t.deepEqual(read._tag === 'Right' && [...read.right.keys()].sort(), ['ca', 'en', 'es', 'fr', 'it'])
  symlinkSync(join(folder, 'nowhere'), join(folder, 'pt'))
  const broken = readTemplates(folder)
  t.regex(broken._tag === 'Left' ? broken.left.join() : '', /^pt\/subject\.txt cannot be read/)
})

test('a sender is an address with or without a name', (t) => {
  t.deepEqual(parseMailSender('a@example.com'), { name: '', address: 'a@example.com' })
  t.deepEqual(parseMailSender('Llum <a@example.com>'), { name: 'Llum', address: 'a@example.com' })
  const quoted = { name: 'Llum, S.A.', address: 'a@example.com' }
  t.deepEqual(parseMailSender('"Llum, S.A." <a@example.com>'), quoted)
  const two = 'a@example.com, b@example.com'
  for (const wrong of ['', 'Llum', 'a@b', two, 'L <a@example.com> x', 'A\r\nBcc: b <a@example.com>'])
    t.is(parseMailSender(wrong), undefined, wrong)
})

const adapter = fileURLToPath(import.meta.resolve('@account-import/adapter-email'))

const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

/** For `--import`: makes the Catalan texts load with a mistake in them. */
const breaking = (): string => {
  const hook = `export const load = async (url, context, next) => {
    const loaded = await next(url, context)
    return url.endsWith('/adapter-email/dist/templates/templates.js')
      ? { ...loaded, source: String(loaded.source).replace('{{created_on}}', '{{craeted_on}}') }
      : loaded
  }`
  return moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))})`)
}

test('the e-mail adapter fails to load with a broken bundled template, and names it', async (t) => {
  const started = promisify(execFile)(process.execPath, ['--import', breaking(), adapter])
  const error = await t.throwsAsync(() => started)
  t.regex(error.message, /bundled e-mail template ca is broken: its text names {{craeted_on}}/)
})
