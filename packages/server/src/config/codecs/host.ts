import { notAcceptable, textCodec } from './text-codec.js'

/** An address or name to listen on, without a port. */
export const host = textCodec<string>('host', (text) =>
  /^[A-Za-z0-9._:%-]+$/.test(text)
    ? text
    : notAcceptable('must be an IP address or a host name such as 127.0.0.1 or 0.0.0.0'),
)
