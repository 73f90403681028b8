/**
 * The variables of the daemon's environment that every program may see, besides `LC_*`: what programs need to run, and
 * no credentials. A provider's own credentials go to its program alone.
 */
export const ENVIRONMENT_ALLOW_LIST = [
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
] as const
