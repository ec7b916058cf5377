/** The published default key; a server that uses it listens on loopback only. It is no secret. @public */
export const LOCAL_API_KEY = 'runproof-local';
