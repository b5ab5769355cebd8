/**
 * Writes the digests of the images in `Dockerfile` and `compose.yaml`, as Docker reads them from the registry of each image.
 * `--check` changes nothing, and fails for an image without a digest, so that no release is built on a tag that can be moved.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const files = { Dockerfile: /^(ARG \w+_IMAGE=)(\S+)$/gm, 'compose.yaml': /(\$\{\w+_IMAGE:-)([^}]+)(?=\})/g }

const isPinned = (image) => /@sha256:[0-9a-f]{64}$/.test(image)

/** The digest of the list of all platforms, if there is one, so that the file builds on each platform. */
const digestOf = (image) => {
  const asked = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  const digest = execFileSync('docker', asked, { encoding: 'utf8' }).trim()
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`Docker gave no digest of ${image}`)
  return digest
}

const imagesIn = (file) => [...readFileSync(file, 'utf8').matchAll(files[file])].map(([, , image]) => image)

const check = () => {
  const open = Object.keys(files).flatMap((file) =>
    imagesIn(file)
      .filter((image) => !isPinned(image))
      .map((image) => `${file}: ${image} has no digest`),
  )
  for (const line of open) console.error(line)
  if (open.length > 0)
    console.error('Write the digests on a machine with Docker: node scripts/pin-images.mjs')
  process.exitCode = open.length > 0 ? 1 : 0
}

/** Reads all digests before it writes any. Existing digests are read again, as the tag may have been moved. */
const pin = () => {
  const written = Object.entries(files).map(([file, pattern]) => [
    file,
    readFileSync(file, 'utf8').replace(pattern, (_, before, image) => {
      const tag = image.replace(/@.*$/, '')
      return `${before}${tag}@${digestOf(tag)}`
    }),
  ])
  for (const [file, text] of written) writeFileSync(file, text)
}

if (process.argv.includes('--check')) check()
else pin()
