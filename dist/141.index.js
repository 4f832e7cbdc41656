export const id = 141;
export const ids = [141];
export const modules = {

/***/ 5141:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   fetchOver: () => (/* binding */ fetchOver)
/* harmony export */ });
/* harmony import */ var undici__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6752);

/** A `fetch` that sends its requests over the connections of a pool. */
function fetchOver({ dispatcher }) {
    return (input, init) => (0,undici__WEBPACK_IMPORTED_MODULE_0__/* .fetch */ .hd)(input, { ...init, dispatcher });
}


/***/ })

};
