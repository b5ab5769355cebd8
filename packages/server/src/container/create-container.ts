import { createHash } from 'node:crypto'
import {
  defaultTokenNames,
  joseAccessTokens,
  type SigningKey,
  type VerificationKey,
} from '@account-import/adapter-access-tokens'
import { smtpCustomerNotifier, type SmtpCustomerNotifier } from '@account-import/adapter-email'
import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import { httpWebhookSender, type OnVendorAsked } from '@account-import/adapter-payment-vendor'
import {
  type Actor,
  bundledMarkets,
  defaultServiceSettings,
  makeUseCases,
  type Ports,
  randomPlatformAccountNumbers,
  type ServiceSettings,
  systemClock,
  webCryptoSecrets,
  type AccessTokens,
  portFailure,
  type PortFailure,
  type Secrets,
  type Clock,
  type Documents,
  rememberedDocuments,
  type CustomerNotifier,
} from '@account-import/core'
import { TE, pipe } from '@account-import/core/adapter-kit'
import { ContainerModule, type ResolutionContext, Container } from 'inversify'
import type { ServerConfig } from '../config/read-config.js'
import type { DocumentStorageUrl } from '../config/urls.js'
import { StartError } from '../start-error.js'
import { paymentVendorsModule } from './payment-vendors-module.js'
import { portIds, useCasesId, serviceId } from './port-ids.js'
import { sqlModule, type SqlObservers } from './sql-module.js'

const settingsOf = (config: ServerConfig): ServiceSettings => ({
  timeZone: config.timeZone,
  defaultCountry: config.defaultCountry,
  processingClaimSeconds: config.processingClaimSeconds,
  keptBytesPerDay: defaultServiceSettings.keptBytesPerDay,
  markets: bundledMarkets,
  emails: {
    maxAttempts: config.mailAttempts,
    firstRetrySeconds: config.mailRetrySeconds,
    sendSeconds: config.mailTimeoutSeconds,
  },
  ...(config.processingConcurrencyLimit === undefined
    ? {}
    : { processingConcurrencyLimit: config.processingConcurrencyLimit }),
})

/** Binds the settings that the use cases read. */
export const settingsModule = (config: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.settings).toConstantValue(settingsOf(config))
  })

/** The Web Crypto API has another thread hash, which takes several times as long for texts of some kilobytes. */
const nodeSecrets: Secrets = {
  ...webCryptoSecrets,
  hash: async (secret) => createHash('sha256').update(secret).digest('hex'),
}

/** Binds what the process itself gives: time, randomness and account numbers. */
export const runtimeModule = new ContainerModule(({ bind }) => {
  bind(portIds.clock).toConstantValue(systemClock)
  bind(portIds.secrets).toConstantValue(nodeSecrets)
  bind(portIds.platformAccountNumbers).toConstantValue(randomPlatformAccountNumbers)
})

/** All ports of the container: `portIds` names each of them, or it does not compile. */
const portsOf = (context: ResolutionContext): Ports =>
  Object.fromEntries(
    Object.entries(portIds).map(([name, id]) => [name, context.get<unknown>(id)]),
  ) as unknown as Ports

/** Binds `useCasesId`: the use cases over the ports of the same container. `operator`: whom the record names as such. */
export const useCasesModule = (operator: Actor): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(useCasesId)
      .toDynamicValue((context) => makeUseCases(portsOf(context), operator))
      .inSingletonScope()
  })

const refused = (operation: string): TE.TaskEither<PortFailure, never> =>
  TE.left(portFailure('unexpected', 'accessTokens', operation, new Error('there is no signing key here')))

/** For processes that neither make nor accept tokens, such as operator commands: every operation fails. */
const noAccessTokens: AccessTokens = {
  sign: () => refused('sign'),
  verify: () => refused('verify'),
}

/**
 * Binds access tokens to a signing key, and to others that are accepted; without a signing key, as in operator commands, no token is
 * made or accepted.
 */
export const tokensModule = (
  key: SigningKey | undefined,
  accepted: readonly VerificationKey[],
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.accessTokens).toConstantValue(
      key === undefined ? noAccessTokens : joseAccessTokens(key, defaultTokenNames, accepted),
    )
  })

type Bucket = Extract<DocumentStorageUrl, { kind: 'bucket' }>

const inBucket = ({ endpoint, accessKey, secretKey, bucket, region }: Bucket): Documents => {
  const { protocol, hostname, port } = new URL(endpoint)
  return minioDocuments({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    bucket,
    ...(region === undefined ? {} : { region }),
  })
}

const documentsIn = (storage: DocumentStorageUrl): Documents => {
  if (storage.kind === 'folder') return folderDocuments(storage.path)
  try {
    return inBucket(storage)
  } catch (cause) {
    throw new StartError(
      'document_storage_not_usable',
      'The host that DOCUMENT_STORAGE_URL names cannot be used. Check it.',
      cause,
    )
  }
}

/** Called when the document storage failed, which a check that only warns would hide: its request succeeds. */
export type OnDocumentFailure = (failure: PortFailure) => void

/** The same documents; every failure to look for some is told before it is passed on. */
const watchedDocuments = (documents: Documents, onFailure?: OnDocumentFailure): Documents => ({
  ...documents,
  existing: (keys, organisation) =>
    pipe(
      documents.existing(keys, organisation),
      TE.tapError((failure) => TE.fromIO(() => onFailure?.(failure))),
    ),
})

/**
 * Binds the documents to the configured storage; what was found is remembered for a minute. `onFailure` is told of
 * every call that fails.
 */
export const documentsModule = (config: ServerConfig, onFailure?: OnDocumentFailure): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.documents)
      .toResolvedValue(
        (clock: Clock) =>
          rememberedDocuments(watchedDocuments(documentsIn(config.documentStorage), onFailure), clock),
        [portIds.clock],
      )
      .inSingletonScope()
  })

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

/** Binds the sender of messages to webhooks. */
export const webhooksModule = (config: ServerConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { webhookPrivateAddresses: allowPrivateAddress, webhookTimeoutSeconds: sendSeconds } = config
    bind(portIds.webhookSender).toConstantValue(httpWebhookSender({ allowPrivateAddress, sendSeconds }))
  })

/** Callbacks for what happens in the adapters, such as for logs. */
export type Observers = SqlObservers &
  Readonly<{
    /** Told of calls of the document storage that failed. */
    onDocumentFailure?: OnDocumentFailure
    /** Told of every call of a payment vendor. */
    onVendorAsked?: OnVendorAsked
  }>

/** The other input of the composition. */
export type ContainerOptions = Observers &
  Readonly<{
    /** Whom the record names where the operator's use cases are used; the service itself when absent. */
    operator?: Actor
  }>

/** The modules of the bundled server, one an adapter, for embedders who put together a container of their own. */
export const serverModules = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  { onDocumentFailure, onVendorAsked, operator = { who: 'service' }, ...sql }: ContainerOptions = {},
): readonly ContainerModule[] => [
  settingsModule(config),
  runtimeModule,
  tokensModule(signingKey, config.verificationKeys),
  sqlModule(config, sql),
  documentsModule(config, onDocumentFailure),
  notifierModule(config),
  paymentVendorsModule(config, onVendorAsked),
  webhooksModule(config),
  useCasesModule(operator),
]

/**
 * The composition of the bundled server; nothing is opened before it is asked for. Load further modules that
 * `rebind` what they replace. Call `await container.unbindAllAsync()` at the end: it closes what was opened.
 */
export const createContainer = (
  config: ServerConfig,
  signingKey: SigningKey | undefined,
  observers: ContainerOptions = {},
): Container => {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(...serverModules(config, signingKey, observers))
  return container
}
