var t={timeout:30},port=8080;export{t as settings,port};
