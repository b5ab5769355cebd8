type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

type DescribedEvent = Readonly<{
  levels: readonly Level[]
  means: string
  /** The meaning of each field beside the common ones `level`, `time`, `event` and `message`. */
  fields: Readonly<Record<string, string>>
}>

const portFields = {
  kind: '`unavailable`: it can be tried again; `unexpected`: a fault',
  operation: 'the call of the port',
}

/**
 * Every event of the log. The type `Log` refuses other events and fields, and docs/reference/log.md is generated from this table,
 * so that the page is complete.
 */
export const logEvents = {
  request: {
    levels: ['debug', 'info', 'warn', 'error'],
    means:
      'a request ended. `debug`: a probe or `/metrics` without a fault. `warn`: answered 503, or a refresh token came twice. `error`: a fault of the service',
    fields: {
      requestId: 'as in the header `X-Request-Id` of the answer',
      method: '`unknown` for bytes that are no HTTP',
      route: 'the pattern of the path, never the path; `unmatched` if none fits',
      status: 'of the response; 0 if the client disconnected before',
      durationMs: 'milliseconds until the answer was complete',
      aborted: 'whether the connection ended before the answer was complete',
      unread:
        '`true` if it ended because the client read nothing for 30 seconds, such as one that sends its whole request first',
      organisation: 'organisation of the token; absent before authentication',
      apiKeyId: 'the id of the key of that token; see `api-key list`',
      code: 'the code of the problem; absent on success',
      replayed: '`true` if the answer came from an idempotency record',
      errors: 'how many field errors of each code',
      counts: 'how many accounts of a bulk request had each outcome',
      lineCodes: 'how many accounts of a bulk request were refused with each code',
      refreshTokenReused: '`apiKeyId` of the key whose refresh token came twice: another client has a copy',
      failure:
        '`kind`, `port`, `operation`, `name` and `code` of the error inside; `advice` where the host application has to change',
    },
  },
  started: {
    levels: ['info'],
    means: 'the server accepts requests',
    fields: {
      address: 'address that it listens on',
      metrics: 'address of `/metrics`, if different',
      database: '`embedded` or `server`',
    },
  },
  stopping: {
    levels: ['info'],
    means: 'the server accepts no more requests, and finishes those that run',
    fields: {},
  },
  stopped: { levels: ['info'], means: 'the server has finished', fields: {} },
  crashed: {
    levels: ['fatal'],
    means: 'an error was not caught; the process ends with 3',
    fields: { origin: 'its origin', name: 'of the error', code: 'of the error' },
  },
  health: {
    levels: ['info', 'warn'],
    means: 'the state of a component changed. `info`: it works again. `warn`: it does not work',
    fields: {
      component: '`database`, `migrations` or `document_storage`',
      state: '`ok`, `degraded`, `failed` or `unknown`',
      code: 'the cause, as in `/readyz`',
      reason:
        'as the system or the driver named it, such as `ECONNREFUSED`; the names of migrations that are pending',
    },
  },
  clock_went_back: {
    levels: ['warn'],
    means:
      'the clock of the machine was set back by more than five minutes, and the service follows it. A smaller step is held back. Earlier records have later times, and access tokens of that time are valid for longer',
    fields: { seconds: 'how far it went back' },
  },
  retry: {
    levels: ['warn'],
    means: 'the database asked for work to be run again, as after a deadlock; the client does not notice',
    fields: {
      reason: '`deadlock`, `lock_wait`, `certification`, `read_only` or `busy`',
      attempt: 'counted from 1',
    },
  },
  payment_vendor: {
    levels: ['info', 'warn'],
    means:
      'a payment vendor was asked. `warn`: it refused the credentials, was unavailable, or could not be reached',
    fields: {
      vendor: 'its code',
      outcome: 'its outcome',
      tries: '0 if the vendor was not asked, because it had failed too often',
      milliseconds: 'for all tries',
      fault: 'failure of the last try',
    },
  },
  payment_vendor_setting: {
    levels: ['warn'],
    means: 'a payment vendor is set up in a way that is not safe in production',
    fields: { vendor: 'its code' },
  },
  document_storage: {
    levels: ['warn'],
    means: 'the document storage failed, so documents were not checked',
    fields: { kind: portFields.kind, code: 'as the system or the storage named it, such as `ENOENT`' },
  },
  document_root_shared: {
    levels: ['warn'],
    means: 'a supplier can see documents of another organisation',
    fields: { supplier: 'its code' },
  },
  document_roots_unknown: {
    levels: ['warn'],
    means: 'no database responded, so document roots could not be compared',
    fields: {},
  },
  email: {
    levels: ['debug', 'warn'],
    means: 'an e-mail to a customer was tried. `debug`: sent. `warn`: not sent',
    fields: { id: 'of the e-mail', outcome: 'its outcome', code: 'why it was not sent' },
  },
  email_store: {
    levels: ['warn'],
    means: 'the outbox of e-mails failed; it is tried again',
    fields: portFields,
  },
  emails_wait: {
    levels: ['warn'],
    means: 'a supplier has enabled e-mails, and `SMTP_URL` is not set: they wait',
    fields: {},
  },
  webhook: {
    levels: ['debug', 'warn'],
    means:
      'a message to a webhook was tried. `debug`: delivered, or cut off as the server stops. `warn`: not delivered; `disabled`: the receiver answered 410, or took nothing over for five days, and nothing more is sent',
    fields: {
      webhook: 'its id; see `webhook list`',
      id: '`webhook-id` of the message',
      outcome: '`delivered`, `deferred`, `given_up`, `disabled` or `stopped`',
      code: 'why it was not delivered: `http_` and the status, or the failure of the connection',
    },
  },
  webhook_store: {
    levels: ['warn'],
    means: 'waiting messages of webhooks could not be read or changed; it is tried again',
    fields: portFields,
  },
  open_to_network: {
    levels: ['warn'],
    means: '`HOST` is open to the network, and the service has no TLS',
    fields: { host: 'the value of `HOST`' },
  },
  staged_data_removed: {
    levels: ['info'],
    means: 'due staged data was removed',
    fields: { accounts: 'number of accounts' },
  },
  staged_data: {
    levels: ['warn'],
    means: 'due staged data could not be removed; it is tried again',
    fields: portFields,
  },
  idempotency_records: {
    levels: ['warn'],
    means: 'expired idempotency records could not be removed; it is tried again',
    fields: portFields,
  },
  key_uses: {
    levels: ['warn'],
    means: 'the last use of API keys could not be stored; it is tried again',
    fields: portFields,
  },
  audit: {
    levels: ['warn'],
    means: 'audit events could not be sealed; it is tried again',
    fields: portFields,
  },
} as const satisfies Readonly<Record<string, DescribedEvent>>

type Events = typeof logEvents

type FieldOf<Event extends keyof Events> = keyof Events[Event]['fields'] | 'event'

type EventAt<L extends Level> = {
  [Event in keyof Events]: L extends Events[Event]['levels'][number] ? Event : never
}[keyof Events]

/** An entry of an event of this level, with described fields only. */
type Described<L extends Level, Entry extends Readonly<{ event: EventAt<L> }>> = Entry &
  Readonly<Record<Exclude<keyof Entry, FieldOf<Entry['event']>>, never>>

type Write<L extends Level> = <const Entry extends Readonly<{ event: EventAt<L> }>>(
  entry: Described<L, Entry>,
  message: string,
) => void

/** The log, for the events above only. A logger of pino has this type. */
export type Log = Readonly<{ [L in Level]: Write<L> }> & Readonly<{ flush(done?: () => void): void }>
