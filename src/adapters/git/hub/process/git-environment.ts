import { env } from 'node:process'

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin'

/** The whole environment of every git process: nothing of the daemon's own leaks in but where programs are. */
export function gitEnvironment(gitConfigFile: string): Readonly<Record<string, string>> {
  const { PATH = FALLBACK_PATH } = env
  return {
    PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: gitConfigFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // Beats protocol.*.allow of any configuration, a repository's own too.
    GIT_ALLOW_PROTOCOL: 'file',
  }
}
