/** A token without a scheme means `Token`; a scheme before it is kept. */
const withScheme = (request) => {
  const given = request.headers.Authorization
  if (given !== undefined && !/^(?:Token|Bearer|JWT) /.test(given))
    request.headers.Authorization = `Token ${given}`
  return request
}

const { SwaggerUIBundle } = globalThis

/** Swagger UI has dark colours under a class. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const ui = SwaggerUIBundle({
  url: new URL('../../openapi.json', import.meta.url).pathname,
  dom_id: '#swagger-ui',
  // The layout without a top bar, whose style is inline.
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  // Never sends the document to an external validator.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  // A link and a button that copies inside the button that unfolds an operation could not be reached by every key.
  plugins: [
    ({ React }) => ({
      wrapComponents: {
        CopyToClipboardBtn: () => () => null,
        DeepLink:
          () =>
          ({ text }) =>
            React.createElement('span', null, text),
      },
    }),
  ],
  requestInterceptor: withScheme,
})

const form = document.querySelector('#key')
const query = 'mutation ($apiKey: String!) { obtainToken(input: { apiKey: $apiKey }) { token } }'

/** The token for a key, or undefined where the service refuses the key. */
const tokenFor = async (apiKey) => {
  const answer = await fetch(new URL('../../v1/graphql/', import.meta.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { apiKey } }),
  })
  return (await answer.json()).data?.obtainToken?.token
}

const exchange = async (apiKey) => {
  const token = await tokenFor(apiKey)
  if (token === undefined) return 'The service does not accept this key.'
  ui.preauthorizeApiKey('token', token)
  form.reset()
  return 'Requests of this page have a token now. It is valid for an hour.'
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const say = (text) => (form.querySelector('output').value = text)
  exchange(form.elements.key.value.trim()).then(say, () => say('The service did not answer. Try again.'))
})
