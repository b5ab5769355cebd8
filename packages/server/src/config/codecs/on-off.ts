import { notAcceptable, textCodec } from './text-codec.js'

/** `on` is true, `off` is false. */
export const onOff = textCodec<boolean>('onOff', (text) =>
  text === 'on' || text === 'off' ? text === 'on' : notAcceptable('must be on or off'),
)
