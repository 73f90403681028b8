/** Where a remote's URL leads: a repository on a host, or something that only git can reach. */
export type RemoteAddress = {
  readonly host: string
  /** Owner and name, for instance `octo/repo`. */
  readonly path: string
}

const SCP = /^(?:[^/@:]+@)?([^/:]+):(?!\/\/)(.+)$/
/** The hosts through which a forge takes ssh where port 22 is blocked. */
const SSH_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
}

/** Reads `https://`, `ssh://` and `git@host:path` URLs. Undefined for paths and for other schemes. */
export function parseRemoteAddress(url: string): RemoteAddress | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && /^(?:https?|ssh|git):$/.test(parsed.protocol)) {
    // A port belongs to the API's host too if the web is served there, but not if it is ssh's.
    const host = parsed.protocol.startsWith('http') ? parsed.host : parsed.hostname
    return addressOf(host, decoded(parsed.pathname))
  }
  const [, host, path] = url.includes('://') ? [] : (SCP.exec(url) ?? [])
  return host === undefined || path === undefined ? undefined : addressOf(host, path)
}

/** A malformed escape stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function addressOf(host: string, path: string): RemoteAddress | undefined {
  const trimmed = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  const name = host.toLowerCase()
  if (name === '' || !/^[^/\s]+(?:\/[^/\s]+)+$/.test(trimmed)) return undefined
  return { host: SSH_HOSTS[name] ?? name, path: trimmed }
}

/** A URL without the name and password that it may contain, for people to read. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/]*@/i, '$1')
}
