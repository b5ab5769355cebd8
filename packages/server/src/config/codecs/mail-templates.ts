import { bundledTemplates, readTemplates, type EmailTemplates } from '@account-import/adapter-email'
import { notAcceptable, textCodec } from './text-codec.js'

/** The bundled templates, or those with a folder's in their place. */
export const mailTemplates = textCodec<EmailTemplates>('mailTemplates', (folder) => {
  if (folder === '') return bundledTemplates
  const read = readTemplates(folder)
  return read._tag === 'Right'
    ? read.right
    : notAcceptable(
        'must be a folder that can be read, with a folder of templates for each language' +
          (read.left.length === 0 ? '' : `: ${read.left.join('; ')}`),
      )
})
