export const id = 636;
export const ids = [636];
export const modules = {

/***/ 7636:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runCacheProcess: () => (/* binding */ runCacheProcess)
/* harmony export */ });
/* harmony import */ var _actions_core__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3838);
/* harmony import */ var _cache_task_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6068);


async function carryOut(task, key) {
    const { isFeatureAvailable, restoreCache, saveCache } = await __webpack_require__.e(/* import() */ 728).then(__webpack_require__.bind(__webpack_require__, 9728));
    if (!isFeatureAvailable())
        throw new Error('this runner offers no cache that can be used');
    const paths = [_cache_task_js__WEBPACK_IMPORTED_MODULE_1__/* .ledgerName */ .bo];
    if (task === 'save')
        return (await saveCache(paths, key, undefined, true)) !== -1;
    return (await restoreCache(paths, key, [key], undefined, true)) !== undefined;
}
/**
 * Loads or saves the ledger in the current folder: what the process does that `cacheStore` starts. The client of
 * the cache is large, so it is loaded only here. It reports to standard output, and the exit status is set: 0 only
 * if the ledger was loaded or saved. The caller ends the process, for the client may keep a connection open.
 *
 * @param given the task, and the key to save under or the key's beginning to look for
 */
async function runCacheProcess([task = '', key = '']) {
    try {
        if (!(0,_cache_task_js__WEBPACK_IMPORTED_MODULE_1__/* .isTask */ .Id)(task))
            throw new Error(`unknown task ${task}`);
        process.exitCode = (await carryOut(task, key)) ? 0 : _cache_task_js__WEBPACK_IMPORTED_MODULE_1__/* .nothingDone */ .mh;
    }
    catch (error) {
        (0,_actions_core__WEBPACK_IMPORTED_MODULE_0__/* .setFailed */ .C1)(error instanceof Error ? error.message : String(error));
    }
}


/***/ })

};
