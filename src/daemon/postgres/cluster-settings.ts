import { SOCKET_PORT } from './socket-directory.ts'

export const ROLE = 'muster'
export const DATABASE = 'muster'
/** Written by Muster at every start; its presence marks a data directory as ours. */
export const SETTINGS_FILE = 'muster.conf'

export const INCLUDE_LINE = `\n# Settings below this line override Muster's.\ninclude = '${SETTINGS_FILE}'\n`

/** As durable as any PostgreSQL, but small and quiet when idle: a person's machine is not a server. */
const FIXED_SETTINGS = [
  "listen_addresses = ''",
  `port = ${SOCKET_PORT}`,
  'unix_socket_permissions = 0700',
  'max_connections = 60',
  'shared_buffers = 32MB',
  'fsync = on',
  'synchronous_commit = on',
  'full_page_writes = on',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'min_wal_size = 32MB',
  'max_wal_size = 256MB',
  'checkpoint_timeout = 15min',
  'wal_writer_delay = 10s',
  'bgwriter_delay = 10s',
  'autovacuum_naptime = 60s',
  'autovacuum_max_workers = 2',
  'autovacuum_worker_slots = 2',
  'io_method = sync',
  'huge_pages = off',
  'jit = off',
  'max_worker_processes = 4',
  'max_logical_replication_workers = 0',
  'max_parallel_workers = 2',
  'max_parallel_workers_per_gather = 1',
  'max_parallel_maintenance_workers = 1',
  "timezone = 'UTC'",
  "log_timezone = 'UTC'",
  'logging_collector = off',
  'log_destination = stderr',
  "log_line_prefix = '%m [%p] '",
  'log_checkpoints = off',
  // Statements and the rows they quote may contain prompts and file text, which must not be logged.
  'log_min_error_statement = panic',
  'log_error_verbosity = terse',
]

export function renderSettings(socketDirectory: string): string {
  return [
    '# Muster writes this file at every start. Put your own settings at the end of postgresql.conf.',
    `unix_socket_directories = ${quoteSetting(`"${socketDirectory.replaceAll('"', '""')}"`)}`,
    ...FIXED_SETTINGS,
    '',
  ].join('\n')
}

/** Only over the socket, only as Muster's role, and only for the operating-system user that the map names. */
export function renderAccessRules(): string {
  return `# type  database  user  method\nlocal   all       ${ROLE}  peer map=muster\n`
}

export function renderIdentityMap(systemUser: string): string {
  return `# map  system-user  role\nmuster  "${systemUser.replaceAll('"', '""')}"  ${ROLE}\n`
}

function quoteSetting(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
