import { delimiter } from 'node:path'

const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]

/**
 * The variables programs may see: what they need to run, and no credentials. Tools of Muster's own, which npm
 * puts first when it starts it, are not among what agents and checks find.
 */
export function passedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { ownPackage, ownTools }: { readonly ownPackage: string; readonly ownTools?: string },
): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter(
    ([name]) => PASSED.includes(name) || name.startsWith('LC_'),
  )
  const passed = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const places = (passed['PATH'] ?? '').split(delimiter)
  const foreign = places.filter(
    (place) => !place.startsWith(`${ownPackage}node_modules`) && !place.includes('/@npmcli/run-script/'),
  )
  // Agents call `muster` by its name; theirs is the one that runs them.
  return { ...passed, PATH: [...(ownTools === undefined ? [] : [ownTools]), ...foreign].join(delimiter) }
}
