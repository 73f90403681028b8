import { delimiter } from 'node:path'

/**
 * The environment variables, besides `LC_*`, that every program inherits from the daemon: what programs need to run,
 * without credentials. Those go only to the program they belong to: see `credentials` of each provider.
 */
const ALLOWED: ReadonlySet<string> = new Set([
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
])

/**
 * The variables that programs inherit: what they need to run, without credentials. The PATH leaves out Muster's own
 * tools, which npm puts first when it starts Muster.
 */
export function passedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { ownPackage, ownTools }: { readonly ownPackage: string; readonly ownTools?: string },
): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter(([name]) => ALLOWED.has(name) || name.startsWith('LC_'))
  const passed = Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const places = (passed['PATH'] ?? '').split(delimiter)
  const foreign = places.filter(
    (place) => !place.startsWith(`${ownPackage}node_modules`) && !place.includes('/@npmcli/run-script/'),
  )
  // Agents call `muster` by name and must get the one that runs them.
  return { ...passed, PATH: [...(ownTools === undefined ? [] : [ownTools]), ...foreign].join(delimiter) }
}
