import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
  // These steer browsers that show pages; JSON has no use for them, and each header costs a little.
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
})

/** Lets helmet set its headers on an answer that is never sent, and reads them from there: they are always the same. */
const collected = (): readonly (readonly [name: string, value: string])[] => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.setHeader('Cache-Control', 'no-store')
  // Helmet's part is done when this returns.
  helmetHeaders(request, response, () => undefined)
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

/**
 * Headers of every answer, also of those that no application gives. For an API whose answers hold personal data:
 * not to be framed, sniffed, loaded by pages or kept.
 */
export const fixedHeaders = collected()
